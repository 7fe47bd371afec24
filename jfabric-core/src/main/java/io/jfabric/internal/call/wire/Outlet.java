// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Drive;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The short messages of one side of a session. One goes by itself, at once. Those that follow before the node polls
 * again are sent together then, as one message: with some providers each costs a system call. Every session of a
 * service has an outlet of its own, which tells its messages from those of the next session when they are dropped: the
 * target, and the key, may be the same. Any thread.
 */
public final class Outlet {
    /** A longer message goes by itself: copying it would cost more. */
    static final int LONGEST_PART = 1024 + AnswerRoom.BYTES + Frame.HEADER;
    /** A message waits no longer than this for others, in nanoseconds, if the polling thread is kept elsewhere. */
    static final long PATIENCE = 50_000;

    private final Hub hub;
    private final Drive drive;
    private final Peer peer;
    private final long target;
    private final boolean waits;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean dropped;
    /** Under the lock: the node's count of polls when a message last went by itself. */
    private int polls;
    /** Under the lock; null if nothing waits. */
    private Bundle bundle;

    /**
     * @param waits whether the sender waits for something that comes back
     */
    public Outlet(Hub hub, Peer peer, long target, boolean waits) {
        this.waits = waits;
        this.hub = hub;
        this.drive = hub.wire.node.drive();
        this.peer = peer;
        this.target = target;
        this.polls = drive.polls() - 1;
    }

    /**
     * Sends a message.
     *
     * @param inline the longest payload that the other side takes behind a header; 0 if the message is to go by itself
     *     in any case
     * @return null if the frame may be used again at once; else a future that is done when it may, or, if the frame
     *     {@link #isCopied}, when the message was sent
     */
    public CompletableFuture<Void> send(MemorySegment frame, long length, int inline) {
        if (dropped) {
            // nothing reads the frame: whoever sends asks the future about that
            CompletableFuture<Void> none = new Bundle.Sent(drive);
            none.completeExceptionally(over());
            return none;
        }
        CompletableFuture<Void> sent = gather(frame, length, inline);
        if (sent == null) {
            sent = hub.wire.send(frame, length, peer, target, this);
        }
        dropIfOver();
        return sent;
    }

    /** Whoever ended the session did not see what was just being sent, by many threads if they waited for the lock. */
    private void dropIfOver() {
        if (dropped) {
            hub.wire.drop(peer, this, over());
        }
    }

    private static CancellationException over() {
        return new CancellationException("the session is over");
    }

    /** Null if the message is to go by itself; what waited has been sent by then. */
    private CompletableFuture<Void> gather(MemorySegment frame, long length, int inline) {
        Bundle full = null;
        Bundle after = null;
        CompletableFuture<Void> sent = null;
        lock.lock();
        try {
            long most = Math.min(hub.wire.bundleSize(), Frame.HEADER + (long) inline);
            if (bundle != null && !bundle.hasRoom(length, most)) {
                full = take();
            }
            if (length <= LONGEST_PART && (bundle != null || begins(length, most))) {
                Frame.target(frame, target);
                sent = bundle.add(frame, length);
                if (bundle.isOlder(PATIENCE) || !drive.pollsSoon(waits) || hub.isClosed()) {
                    after = take();
                }
            } else if (bundle != null) {
                after = take();
            }
        } finally {
            lock.unlock();
        }
        end(full);
        end(after);
        return sent;
    }

    private static void end(Bundle sent) {
        if (sent != null) {
            sent.end();
        }
    }

    /** Whether one more message is to wait; then there is a bundle. */
    private boolean begins(long length, long most) {
        int now = drive.polls();
        if (now != polls || !drive.pollsSoon(waits)) {
            polls = now;
            return false;
        }
        PooledBuffer buffer = Bundle.roomFor(length) <= most ? hub.take() : null;
        if (buffer != null) {
            bundle = new Bundle(hub, buffer, drive);
            hub.outlets.add(this);
        }
        return buffer != null;
    }

    /** Takes what waits, and sends it here so that nothing overtakes it. Its end is to be told outside the lock. */
    private Bundle take() {
        Bundle taken = bundle;
        bundle = null;
        taken.send(peer, target, this);
        return taken;
    }

    /** Whether the frame was copied: then the future only says whether the message was sent. */
    public static boolean isCopied(CompletableFuture<Void> sent) {
        return sent instanceof Bundle.Sent;
    }

    /** Sends what waits. */
    public void flush() {
        lock.lock();
        flushLocked();
    }

    /** The same, but does not wait for another thread that is sending, as that may take long; false if there is one. */
    boolean tryFlush() {
        if (!lock.tryLock()) {
            return false;
        }
        flushLocked();
        return true;
    }

    /** The session is over: gives up what the provider has not got yet, and what threads are or will be sending. */
    public void drop() {
        dropped = true;
        tryFlush();
        dropIfOver();
    }

    private void flushLocked() {
        Bundle after;
        try {
            after = bundle != null ? take() : null;
        } finally {
            lock.unlock();
        }
        end(after);
        if (after != null) {
            dropIfOver();
        }
    }
}
