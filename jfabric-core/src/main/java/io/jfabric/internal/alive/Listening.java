// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

/**
 * Whether all that has come to a node is read: an answer may lie there unread while the thread that makes progress is
 * held up by a callback. For the clock thread only.
 */
interface Listening {
    /** Before all others. */
    default void start() {
        // there is a thread already
    }

    /** Asks for all that has come by now to be read. */
    void begin();

    /** Whether that has been read. */
    boolean isDone();

    /** The time up to which all that had come is read, by {@link System#nanoTime}. */
    long readUntil();

    /** Makes progress, if nobody else does. */
    default void progress() {
        // somebody does
    }

    default void stop() {
        // what was asked is read some time, or the node is closed
    }
}
