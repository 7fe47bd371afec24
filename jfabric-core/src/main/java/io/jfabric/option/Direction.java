// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

/** One of the two halves of an endpoint. */
public enum Direction {
    /** What this side starts: sends, remote accesses, atomics ({@code FI_TRANSMIT}). */
    TRANSMIT,
    /** Receives ({@code FI_RECV}). */
    RECEIVE
}
