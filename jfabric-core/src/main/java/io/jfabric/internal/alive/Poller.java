// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.async.Node;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls for a node whose callers make all progress, when told to. In a thread of its own: it may complete futures of
 * the program's, and what follows on these is neither to keep the clock, nor to wait for a virtual thread's turn.
 */
final class Poller implements Runnable {
    /** So many polls at a time, if there is more and more. */
    private static final int MOST = 1_000;

    private final Node node;
    /** How often it was told to; and up to which time it has. */
    private volatile long wanted;
    private volatile long done;
    /** All that had come before is read, by {@link System#nanoTime}. */
    private volatile long readUntil = System.nanoTime();
    private volatile boolean stopped;
    private final Thread thread = Thread.ofPlatform().daemon().name("jfabric-keep-alive").unstarted(this);

    Poller(Node node) {
        this.node = node;
    }

    void start() {
        thread.start();
    }

    /** By one thread. */
    void poll() {
        wanted = wanted + 1;
        LockSupport.unpark(thread);
    }

    /** Whether it has polled since it was told to. */
    boolean isDone() {
        return done == wanted;
    }

    /** When it began to poll what it has read to the end. */
    long readUntil() {
        return readUntil;
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!stopped) {
            long now = wanted;
            if (now != done) {
                long began = System.nanoTime();
                progress();
                readUntil = began;
                done = now;
            } else {
                // what follows on a future may have left that behind
                Thread.interrupted();
                LockSupport.park(this);
            }
        }
    }

    /** Until all is read that has come: the answers may be behind it. */
    private void progress() {
        for (int polls = 0; polls < MOST && !stopped && node.progress() > 0; polls++) {
            Thread.onSpinWait();
        }
    }
}
