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
 * The short messages of one side of a session. One goes by itself, at once. Those that follow before the node has
 * looked at its queue again go together then, as one message: with tcp each costs a system call. A session of a service
 * has one of its own: what is dropped with that is known by it, as the next may have the target, and the key, of this.
 * Any thread.
 */
public final class Outlet {
    /** What is longer goes by itself: it costs more to copy. */
    static final int LONGEST_PART = 1024 + AnswerRoom.BYTES + Frame.HEADER;
    /** Nobody waits longer for one that follows, in nanoseconds, when the thread that polls is kept elsewhere. */
    static final long PATIENCE = 50_000;

    private final Hub hub;
    private final Drive drive;
    private final Peer peer;
    private final long target;
    private final boolean waits;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean dropped;
    /** Under the lock: how often the node had polled when a message last went by itself. */
    private int polls;
    /** Under the lock; null if nothing waits. */
    private Bundle bundle;

    /**
     * To whom.
     *
     * @param waits whether who sends waits for something that comes back
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
     * @param inline how long a payload the other side takes behind a header; 0 if it goes by itself in any case
     * @return null if the frame may be used again at once; else a future that is done when it may, or, if the frame
     *     {@link #isCopied}, when the message was sent
     */
    public CompletableFuture<Void> send(MemorySegment frame, long length, int inline) {
        if (dropped) {
            // nothing of the frame is being read: who sends asks the future about that
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

    /** Who ended the session did not see what was just being sent: by many threads, if they waited for a lock. */
    private void dropIfOver() {
        if (dropped) {
            hub.wire.drop(peer, this, over());
        }
    }

    private static CancellationException over() {
        return new CancellationException("the session is over");
    }

    /** Null if it is to go by itself; what waits has gone then. */
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

    /** Whether one more is to wait; then there is a bundle. */
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

    /** What waits, which is sent here so that nothing overtakes it; its end is to be told outside of the lock. */
    private Bundle take() {
        Bundle taken = bundle;
        bundle = null;
        taken.send(peer, target, this);
        return taken;
    }

    /** Whether its frame was copied: the future only says whether it was sent. */
    public static boolean isCopied(CompletableFuture<Void> sent) {
        return sent instanceof Bundle.Sent;
    }

    /** Sends what waits. */
    public void flush() {
        lock.lock();
        flushLocked();
    }

    /** The same, but waits for nobody who is sending, as that may take long; false if somebody is. */
    boolean tryFlush() {
        if (!lock.tryLock()) {
            return false;
        }
        flushLocked();
        return true;
    }

    /** The session is over: gives up what the provider has not got yet, and what a thread is just sending or will. */
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
