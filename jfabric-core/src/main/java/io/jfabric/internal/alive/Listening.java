// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

/**
 * Whether what has come to a node is known: an answer may lie there unread, while who makes progress is kept by what
 * follows on something else. Of the thread of the clock.
 */
interface Listening {
    /** Before all others. */
    default void start() {
        // there is a thread already
    }

    /** What has come by now is to be read. */
    void begin();

    /** Whether it has been since. */
    boolean isDone();

    /** Up to when whatever had come is read, by {@link System#nanoTime}. */
    long readUntil();

    /** Makes progress, if nobody else does. */
    default void progress() {
        // somebody does
    }

    default void stop() {
        // what was asked is read some time, or the node is closed
    }
}
