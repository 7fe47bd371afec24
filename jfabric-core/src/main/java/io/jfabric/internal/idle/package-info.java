// SPDX-License-Identifier: Apache-2.0
/** Waiting without a blocking call: what a thread does while there is nothing to do, and until when. */
package io.jfabric.internal.idle;
