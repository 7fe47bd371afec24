// SPDX-License-Identifier: Apache-2.0
/** Futures of a node: who waits for them, and where they are completed. */
package io.jfabric.internal.async.future;
