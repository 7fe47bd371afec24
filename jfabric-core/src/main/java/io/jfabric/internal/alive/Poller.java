// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.node.NodeImpl;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls for a node whose callers make all progress, when told to. In a thread of its own: it may complete futures of
 * the program's, and what follows on these is neither to keep the clock, nor to wait for a virtual thread's turn.
 */
final class Poller implements Listening, Runnable {
    /** So many polls at a time, if there is more and more. */
    private static final int MOST = 1_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final NodeImpl node;
    /** How often it was told to; and up to which time it has. */
    private volatile long wanted;
    private volatile long done;
    /** All that had come before is read, by {@link System#nanoTime}. */
    private volatile long readUntil = System.nanoTime();
    private volatile boolean stopped;
    /** Of the thread of the clock. */
    private int pollsBefore;
    private final Thread thread;

    Poller(NodeImpl node) {
        this.node = node;
        this.thread = Thread.ofPlatform().daemon().name("jfabric-keep-alive of node " + node.number())
                .unstarted(this);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void begin() {
        pollsBefore = node.drive().pollsOfWaiters();
        progress();
    }

    @Override
    public void progress() {
        wanted = wanted + 1;
        LockSupport.unpark(thread);
    }

    /** A thread of the program's that waits reads as well, while this one may be kept. */
    @Override
    public boolean isDone() {
        return done == wanted || node.drive().pollsOfWaiters() != pollsBefore;
    }

    @Override
    public long readUntil() {
        return readUntil;
    }

    @Override
    public void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!stopped) {
            long now = wanted;
            if (now != done) {
                long began = System.nanoTime();
                try {
                    read();
                } catch (Throwable failed) {
                    // what there was no memory for, as a rule; others count on this thread
                    pause();
                    continue;
                }
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
    private void read() {
        for (int polls = 0; polls < MOST && !stopped && node.progress() > 0; polls++) {
            Thread.onSpinWait();
        }
    }

    private void pause() {
        Thread.interrupted();
        LockSupport.parkNanos(this, PAUSE_NANOS);
    }
}
