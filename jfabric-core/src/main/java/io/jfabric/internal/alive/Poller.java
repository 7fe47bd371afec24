// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.node.NodeImpl;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls, when told to, for a node whose callers make all progress. In a platform thread of its own: it may complete
 * futures of the program, whose callbacks must not hold up the clock, and a virtual thread might wait for its turn.
 */
final class Poller implements Listening, Runnable {
    /** The most polls at a time, if messages keep coming. */
    private static final int MOST = 1_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final NodeImpl node;
    /** How often it was told to poll, and up to which of these times it has. */
    private volatile long wanted;
    private volatile long done;
    /** The time up to which all that had come is read, by {@link System#nanoTime}. */
    private volatile long readUntil = System.nanoTime();
    private volatile boolean stopped;
    /** For the clock thread only. */
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

    /** A waiting thread of the program reads as well, while this thread may be held up. */
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
                    // as a rule there was no memory; others count on this thread, so it goes on
                    pause();
                    continue;
                }
                readUntil = began;
                done = now;
            } else {
                // a callback of the program may have left this thread interrupted
                Thread.interrupted();
                LockSupport.park(this);
            }
        }
    }

    /** Polls until all that has come is read: the answers may be behind other messages. */
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
