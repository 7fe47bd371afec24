// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.info.Address;
import io.jfabric.internal.context.ContextReader;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.context.MemoryCheck;
import io.jfabric.internal.context.QueueRoom;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.Exclusive;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Turnstile;
import io.jfabric.internal.ops.CqOps;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** {@link CompletionQueue}. */
public final class CompletionQueueImpl extends FidObject implements CompletionQueue, NativeWaitable, ContextReader {
    private static final int BATCH = 64;

    private final CompletionQueueAttributes attributes;
    private final QueueRoom room;
    private final ContextRegistry contexts;
    private final long entrySize;
    private final WaitObject opened;
    private final boolean hasThreshold;
    private volatile boolean waitsByPolling;
    /** One poller at a time; the fields from {@code buffer} on belong to the one whose turn it is. */
    private final Turnstile turn;
    /** The native address: entering returns it, too, but a native call need not wait for that. */
    private final long fid;
    private final CqOps ops = new CqOps();
    /** What the thread must enter as well while it polls; null if nothing. */
    private final Exclusive receiving;
    /** Set by {@link #signal()}: the provider may also have woken the thread for a closer, or for nothing. */
    private volatile boolean signaled;
    private boolean withSource;
    private final MemorySegment buffer;
    private final MemorySegment sources;
    private final long entries;
    private final CompletionImpl completion;
    private final CompletionErrors errors;
    /** Entries [next, count) of the buffer are read but not delivered: a handler threw. */
    private int next;
    private int count;
    /** What a closer read; as long as there is some, {@code next} is less than {@code count}. */
    private TakenAside aside;
    /** How the last poll came in; kept here to save a chain of loads. */
    private Bias lastIn = Bias.NOBODY;
    /** The only handler that may poll; null if any may. */
    private CompletionHandler only;
    /** Whether the next poll must look: for such entries or sources, or if the completion does not show the first. */
    private boolean special = true;
    /** Whether all polls must look. */
    private boolean alwaysSpecial;
    /** Whether completions of closed endpoints may be unread. */
    private boolean saysWhenEmpty;

    CompletionQueueImpl(DomainState domain, long handle, CompletionQueueAttributes attributes, WaitObject opened,
            QueueRoom room) {
        super(domain.object(), new Turnstile(handle, true));
        this.turn = (Turnstile) entry();
        this.fid = handle;
        this.ops.lookUp(handle);
        this.attributes = attributes;
        this.room = room;
        this.receiving = domain.receiving();
        this.contexts = domain.contexts();
        this.entrySize = CqAttr.entrySize(attributes.format());
        this.withSource = CqAttr.hasSources(domain);
        this.alwaysSpecial = withSource;
        this.opened = opened;
        this.hasThreshold = CqAttr.hasThreshold(domain, attributes);
        this.waitsByPolling = WaitObjects.polls(domain, opened);
        this.buffer = Arena.ofAuto().allocate(BATCH * entrySize, 64);
        this.sources = Arena.ofAuto().allocate(BATCH * 8L, 64);
        this.entries = buffer.address();
        this.completion = new CompletionImpl(domain.contexts(), attributes.format(), domain.quirks(), buffer);
        this.errors = new CompletionErrors(domain.contexts(), domain.quirks());
    }

    @Override
    public CompletionQueueAttributes attributes() {
        return attributes;
    }

    @Override
    public CompletionQueueImpl ignoreSources() {
        withSource = false;
        alwaysSpecial = saysWhenEmpty;
        return this;
    }

    // In one piece, so that it exceeds the 325 bytes of code up to which C2 inlines methods that are called often: a
    // loop that polls eight times would spend C2's budget of nodes on copies of this, and gain nothing by them.
    @Override
    public int poll(CompletionHandler handler, int limit) {
        check(handler, limit);
        Bias in = lastIn;
        if (!in.enters()) {
            in = turn.own();
            lastIn = in == null ? Bias.NOBODY : in;
        }
        if (in == null || special) {
            return pollOn(in, handler, limit);
        }
        long n = 0;
        boolean shown;
        try {
            n = receiving == null ? ops.read(fid, entries, Math.min(limit, BATCH)) : read(limit);
            shown = n == 1 && completion.showOrdinary(entries);
        } catch (Throwable e) {
            toDeliver(n);
            in.leave();
            throw e;
        }
        if (shown) {
            in.handling();
            try {
                handler.onCompletion(completion);
            } finally {
                in.handled();
            }
            return 1;
        }
        if (n == -Errno.EAGAIN || n == 0) {
            in.leave();
            return 0;
        }
        if (n < 0) {
            return failed("fi_cq_read", n, handler);
        }
        // no more than was asked for; as deliver(), but without giving back the turn in between
        special = true;
        next = 0;
        count = (int) n;
        int delivered = 0;
        boolean ordinary = true;
        do {
            long entry = entries + next * entrySize;
            try {
                // showing it gives its slot back: only once, and not in this way after one that is not ordinary, here
                // or in a handler that polled
                ordinary = ordinary && (next == 0 || completion.isPlain()) && completion.showOrdinary(entry);
                if (!ordinary) {
                    completion.show(entry, Address.NOT_AVAILABLE);
                }
                next++;
                in.handling();
                delivered += completion.handTo(handler);
            } catch (Throwable e) {
                in.handled();
                throw e;
            }
            // inside for the next: nobody may close an endpoint while its slot is given back, or take the rest aside; a
            // handler may have polled, or closed an endpoint
        } while (next < count && in.enterAgain() && aside == null);
        if (next >= count && in.enterAgain() && aside == null) {
            completion.reset();
            special = alwaysSpecial;
        }
        in.leave();
        return delivered == 0 ? pollOn(null, handler, limit) : delivered;
    }

    /** Returns 0 only if nothing came, not if nobody asked for what came; but others may send without end. */
    private int pollOn(Bias in, CompletionHandler handler, int limit) {
        int n = pollSlowly(in, handler, limit);
        for (int i = 0; n == 0 && completion.isSilent() && i < BATCH; i++) {
            n = pollSlowly(null, handler, limit);
        }
        return n;
    }

    /** {@link #poll} for any thread and any entries; without a bias the thread is not inside yet. */
    private int pollSlowly(Bias in, CompletionHandler handler, int limit) {
        if (in == null && turn.enter() == 0) {
            throw unusable();
        }
        if (next >= count) {
            special = alwaysSpecial;
            completion.reset();
        }
        long n = 0;
        boolean shown;
        try {
            n = next < count ? 0 : read(limit);
            shown = n == 1 && !special && completion.showOrdinary(entries);
        } catch (Throwable e) {
            toDeliver(n);
            turn.leave();
            throw e;
        }
        if (shown) {
            turn.handling();
            try {
                handler.onCompletion(completion);
            } finally {
                turn.handled();
            }
            return 1;
        }
        if (n == -Errno.EAGAIN || n == 0 && next >= count) {
            if (n == -Errno.EAGAIN && saysWhenEmpty) {
                saysWhenEmpty = false;
                alwaysSpecial = withSource;
                contexts.emptied(this);
            }
            turn.leave();
            return 0;
        }
        return n < 0 ? failed("fi_cq_read", n, handler) : deliver(n, handler, limit);
    }

    @Override
    public QueueRoom room() {
        return room;
    }

    @Override
    public void sayWhenEmpty() {
        saysWhenEmpty = true;
        alwaysSpecial = true;
        special = true;
    }

    @Override
    protected void closed() {
        contexts.closed(this);
    }

    /** So many entries, if any, are to be delivered; by the next poll if this one fails. The thread is inside. */
    private void toDeliver(long read) {
        special = true;
        if (read > 0) {
            next = 0;
            count = (int) read;
        }
    }

    private void check(CompletionHandler handler, int limit) {
        Objects.requireNonNull(handler, "poll: the handler is null");
        if (limit <= 0) {
            throw new IllegalArgumentException("poll: limit is " + limit + ", it must be at least 1");
        }
        if (handler != only && only != null) {
            throw new IllegalStateException("poll: this completion queue is a node's: futures whose completions another"
                    + " takes would never be done. For level 1 open a queue and an endpoint on node.domain()");
        }
        if (MemoryCheck.ON) {
            contexts.memoryCheck().look();
        }
    }

    /** From now on only this handler may take completions; to be called before the queue is given to anybody. */
    public void onlyFor(CompletionHandler handler) {
        only = handler;
    }

    /** Looks up what may have changed since an endpoint that uses the queue was bound or enabled. */
    public static void lookUp(FidObject used) {
        if (used instanceof CompletionQueueImpl queue) {
            queue.ops.lookUp(queue.fid);
        }
    }

    /** Excludes threads that post receives, where that matters. */
    private long read(int limit) {
        return read(Math.min(limit, BATCH), entries, sources.address());
    }

    private long read(int n, long into, long sourcesInto) {
        Exclusive.enter(receiving);
        try {
            return withSource ? ops.readfrom(fid, into, n, sourcesInto) : ops.read(fid, into, n);
        } finally {
            Exclusive.leave(receiving);
        }
    }

    /** Delivers what was read now or taken aside, or left when a handler threw. The thread is inside, and leaves. */
    private int deliver(long read, CompletionHandler handler, int limit) {
        toDeliver(read);
        int delivered = 0;
        do {
            TakenAside.Report report;
            try {
                report = show();
            } catch (Throwable e) {
                turn.leave();
                throw e;
            }
            turn.handling();
            try {
                delivered += report == null ? completion.handTo(handler) : report.handTo(handler, completion);
            } finally {
                turn.handled();
            }
            // inside again for the next: nobody may close an endpoint while its slot is given back
            if (delivered == limit || next >= count || turn.enter() == 0) {
                return delivered;
            }
            // a handler may have polled, or closed an endpoint
        } while (next < count);
        turn.leave();
        return delivered;
    }

    /** Shows the next, which stays if that fails. One that was taken aside is also returned: it may be an error. */
    private TakenAside.Report show() {
        if (aside == null) {
            completion.show(entries + next * entrySize,
                    withSource ? Memory.getLong(sources.address() + next * 8L) : Address.NOT_AVAILABLE);
            next++;
            return null;
        }
        TakenAside.Report report = aside.show(completion);
        if (aside.isEmpty()) {
            aside = null;
            next = 0;
            count = 0;
        }
        return report;
    }

    /** Handles a read that failed. The thread is inside, and leaves. */
    private int failed(String operation, long result, CompletionHandler handler) {
        CompletionError error;
        try {
            error = errors.read(operation, result, fid);
        } catch (Throwable e) {
            turn.leave();
            throw e;
        }
        if (error == null) {
            turn.leave();
            return 0;
        }
        turn.handling();
        try {
            handler.onError(error);
        } finally {
            turn.handled();
        }
        return 1;
    }

    @Override
    public int await(CompletionHandler handler, int limit, Duration timeout) {
        return await(handler, limit, timeout, 1);
    }

    @Override
    public int await(CompletionHandler handler, int limit, Duration timeout, long threshold) {
        check(handler, limit);
        CqAttr.checkThreshold(attributes, threshold);
        Idle idle = new Idle(timeout);
        if (!turn.keep()) {
            throw unusable();
        }
        try {
            WaitObjects.requireWaitable("fi_cq_sread", opened);
            while (true) {
                int n = waitsByPolling || saysWhenEmpty ? poll(handler, limit)
                        : await(handler, limit, hasThreshold ? threshold : 0, idle.slice(Idle.SLICE));
                if (n == 0 && signaled) {
                    signaled = false;
                    return 0;
                }
                if (n != 0 || idle.isOver() || Thread.currentThread().isInterrupted()) {
                    return n;
                }
                if (waitsByPolling || saysWhenEmpty) {
                    idle.pause();
                }
            }
        } finally {
            turn.letGo();
        }
    }

    /** Waits a slice: interrupts do not wake threads in native code. The condition is a number; C has a pointer. */
    private int await(CompletionHandler handler, int limit, long cond, int millis) {
        if (turn.enterToWait() == 0) {
            throw unusable();
        }
        long n;
        try {
            // an endpoint may have been closed since the decision to wait
            n = next < count || waitsByPolling ? 0 : withSource
                    ? CqOps.sreadfrom(fid, entries, Math.min(limit, BATCH), sources.address(), cond, millis)
                    : CqOps.sread(fid, entries, Math.min(limit, BATCH), cond, millis);
        } catch (Throwable e) {
            turn.leaveFromWait();
            throw e;
        }
        turn.waited();
        if (n > 0 || next < count) {
            return deliver(n, handler, limit);
        }
        if (n == -Errno.EAGAIN || n == 0 || n == -Errno.EINTR || n == -Errno.ECANCELED || n == -Errno.ETIMEDOUT) {
            turn.leave();
            return 0;
        }
        return failed("fi_cq_sread", n, handler);
    }

    @Override
    public void signal() {
        handle();
        if (!waitsByPolling) {
            WaitObjects.requireWaitable("fi_cq_signal", opened);
        }
        signaled = true;
        if (!waitsByPolling) {
            check("fi_cq_signal", call(CqOps::signal), null);
        }
    }

    /** Makes operations progress without taking completions; for closers. */
    public void progress() {
        Exclusive.enter(receiving);
        try {
            ops.read(turn.object(), entries, 0);
        } finally {
            Exclusive.leave(receiving);
        }
    }

    /** Keeps what there is for the next polls, except errors that are known; for closers, while nobody polls. */
    public void takeAside(Predicate<CompletionError> known) {
        TakenAside taken = aside != null ? aside
                : new TakenAside(buffer, entrySize, withSource ? sources : null, next, count);
        try {
            taken.addAll(this::read, BATCH, entrySize, withSource, () -> errors.read(fid), known);
        } finally {
            aside = taken.isEmpty() ? null : taken;
            toDeliver(aside == null ? 0 : 1);
        }
    }

    /** Whether something was taken aside, or left when a handler threw: the provider no longer knows of it. */
    public boolean hasUnread() {
        return next < count;
    }

    /** The tokens of operations whose completions were taken aside. */
    public Set<Long> tokensAside() {
        return aside == null ? Set.of() : aside.tokens();
    }

    @Override
    public void wake() {
        CqOps.signal(turn.object());
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
    }

    @Override
    public void pollOnly() {
        waitsByPolling = true;
        eachUsed(used -> WaitObjects.pollOnly(used));
    }

    @Override
    public boolean isPollOnly() {
        return waitsByPolling || hasUnread();
    }

    @Override
    public String kind() {
        return "completion queue";
    }

    @Override
    protected int closeRank() {
        return CloseRank.QUEUE;
    }

    @Override
    protected boolean refusesControl() {
        return true;
    }
}
