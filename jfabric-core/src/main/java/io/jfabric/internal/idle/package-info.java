// SPDX-License-Identifier: Apache-2.0
/** Waiting without a blocking call: what a thread does while there is nothing to do, and for how long. */
package io.jfabric.internal.idle;
