// SPDX-License-Identifier: Apache-2.0
/** The side that calls. */
package io.jfabric.internal.call.caller;
