// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call;

import io.jfabric.FabricArena;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.CallException;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.Drive;
import io.jfabric.internal.async.NodeImpl;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What a caller sends to a service and gets from it. */
final class CallerLink implements Hub.Receiver {
    private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LAST_RETRY = TimeUnit.SECONDS.toNanos(2);
    /** So long without a sign, and it is asked for one. */
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);

    private final CallerImpl caller;
    private final CallerOptions options;
    private final Window window;
    private Hub hub;
    private Wire wire;
    private final FabricArena arena;
    private final Large large;
    private final long tag;
    private final NodeImpl node;
    private final long replies = Wire.replies(Wire.newNumber());
    /** By slot: what calls are sent from, and what is told about them. */
    private final MemorySegment[] frames;
    private final MemorySegment[] controls;
    private final MemorySegment greeting;
    private volatile Session session;
    /** Of the session that is being agreed on, or is. */
    private volatile long ownKey;
    private volatile boolean greetingIsSent = true;
    private long nextGreeting;
    private long retry;
    /** Anything, since the clock looked last. */
    private volatile boolean heard;
    private volatile boolean ended;

    CallerLink(CallerImpl caller, Window window) {
        this.caller = caller;
        this.options = caller.options();
        this.window = window;
        this.node = (NodeImpl) caller.peer().node();
        node.requireTagged("Caller.open");
        this.tag = Wire.requests(caller.service());
        this.arena = node.domain().openArena();
        this.large = new Large(node.domain(), Long.MAX_VALUE);
        this.frames = slices(Hub.FRAME, window.size);
        this.controls = slices(Frame.HEADER, window.size);
        this.greeting = arena.allocate(Frame.HEADER + node.address().bytes().length);
    }

    /** Each on cache lines of its own. */
    private MemorySegment[] slices(int size, int count) {
        int stride = size + 63 & -64;
        MemorySegment all = arena.allocate((long) stride * count, 64);
        MemorySegment[] slices = new MemorySegment[count];
        Arrays.setAll(slices, i -> all.asSlice((long) i * stride, size));
        return slices;
    }

    Drive drive() {
        return node.drive();
    }

    boolean isReady() {
        return session != null;
    }

    /** Whether the clock has something to do here. */
    boolean isBusy() {
        return session == null && !ended;
    }

    void open() {
        begin();
        hub = Hub.join(node, replies, this);
        wire = hub.wire;
        tick(System.nanoTime());
    }

    /** A session is to be agreed on. */
    private void begin() {
        session = null;
        ownKey = ThreadLocalRandom.current().nextLong();
        retry = FIRST_RETRY;
        nextGreeting = System.nanoTime();
    }

    /** Says hello, again and again, until the service answers; and again when it does not answer calls. */
    synchronized void tick(long now) {
        if (heard) {
            heard = false;
            retry = FIRST_RETRY;
            nextGreeting = session == null ? now : now + QUIET;
        }
        if (ended || now - nextGreeting < 0 || !greetingIsSent || session != null && window.underWay() == 0) {
            return;
        }
        nextGreeting = now + retry;
        retry = Math.min(2 * retry, LAST_RETRY);
        byte[] address = node.address().bytes();
        Frame.write(greeting, Frame.CONNECT, 0, ownKey, Hub.INLINE, address.length, window.size, replies);
        MemorySegment.copy(address, 0, greeting, ValueLayout.JAVA_BYTE, Frame.HEADER, address.length);
        CompletableFuture<Void> sent;
        try {
            sent = wire.send(greeting, greeting.byteSize(), caller.peer(), tag);
        } catch (IllegalStateException closed) {
            // the caller is told why by the peer or the hub
            return;
        }
        if (sent != null) {
            greetingIsSent = false;
            sent.whenComplete((done, failure) -> greetingIsSent = true);
        }
    }

    @Override
    public Outgoing<?> arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        if (Frame.key(frame) != ownKey) {
            return null;
        }
        if (!heard) {
            heard = true;
        }
        Outgoing<?> over = handle(frame, length);
        caller.drain();
        return over;
    }

    /** A call that is over, to be finished; null if none is. */
    private Outgoing<?> handle(MemorySegment buffer, long length) {
        switch (Frame.type(buffer)) {
            case Frame.ACCEPT -> accepted(buffer);
            case Frame.REFUSE -> {
                if (Frame.isWhole(buffer, length) && session == null) {
                    caller.failWaiting(caller.failure(FabricError.ECONNREFUSED, Frame.text(buffer)));
                }
            }
            case Frame.BYE -> reset("the service was closed");
            default -> {
                long id = Frame.id(buffer);
                Outgoing<?> call = window.find(id);
                return call == null ? null : reply(call, Window.slot(id), buffer, length);
            }
        }
        return null;
    }

    private void accepted(MemorySegment buffer) {
        long sizes = Frame.time(buffer);
        int inline = Math.min(Hub.INLINE, (int) (sizes >>> 32));
        int slots = (int) sizes;
        if (inline < 0 || slots < 1) {
            return;
        }
        Session before;
        synchronized (this) {
            before = session;
            if (ended || before != null && before.key() == Frame.id(buffer)) {
                return;
            }
            session = new Session(Frame.connection(buffer), Frame.id(buffer), inline, Frame.more(buffer));
        }
        if (before != null) {
            caller.failUnderWay(caller.failure(FabricError.ECONNRESET, "the service was opened anew; whether it had "
                    + "seen the call is unknown"));
        }
        window.grant(slots);
    }

    private void reset(String why) {
        synchronized (this) {
            if (session == null) {
                return;
            }
            begin();
        }
        caller.failUnderWay(caller.failure(FabricError.ECONNRESET, why));
    }

    private Outgoing<?> reply(Outgoing<?> call, int slot, MemorySegment buffer, long length) {
        switch (Frame.type(buffer)) {
            case Frame.ANSWER -> {
                if (!Frame.isWhole(buffer, length)) {
                    return null;
                }
                if (call.claim()) {
                    try {
                        call.take(buffer, Frame.HEADER, length - Frame.HEADER);
                    } catch (RuntimeException e) {
                        call.failure(e);
                    }
                    return over(call, slot);
                }
                return dropped(call, slot);
            }
            case Frame.FAILURE -> {
                return !Frame.isWhole(buffer, length) ? null
                        : fail(call, slot, new CallException(caller.what(), Frame.text(buffer)));
            }
            case Frame.BUSY -> {
                return fail(call, slot, caller.busy());
            }
            case Frame.LATE -> {
                return fail(call, slot, caller.failure(FabricError.ETIMEDOUT, "the service got it too late"));
            }
            case Frame.TOO_LONG -> {
                return fail(call, slot, caller.failure(FabricError.EMSGSIZE, "a request of " + call.request.byteSize()
                        + " bytes is more than the service takes"));
            }
            case Frame.GO -> sendPayload(call, slot, Frame.more(buffer));
            case Frame.ANSWER_LARGE -> {
                return longAnswer(call, slot, Frame.length(buffer), Frame.more(buffer));
            }
            default -> { }
        }
        return null;
    }

    private Outgoing<?> over(Outgoing<?> call, int slot) {
        if (window.end(slot, call)) {
            window.letGo(slot);
        }
        return call;
    }

    /** Its future is done already. */
    private Outgoing<?> dropped(Outgoing<?> call, int slot) {
        over(call, slot);
        return null;
    }

    private Outgoing<?> fail(Outgoing<?> call, int slot, Throwable why) {
        if (!call.claim()) {
            return dropped(call, slot);
        }
        call.failure(why);
        return over(call, slot);
    }

    private void failHere(Outgoing<?> call, int slot, Throwable why) {
        Outgoing<?> over = fail(call, slot, why);
        if (over != null) {
            over.finish();
        }
    }

    /** Sends the request of a call that has so many nanoseconds left; the slot was popped for it. */
    void start(int slot, Outgoing<?> call, long left) {
        Session now = session;
        window.start(slot, call);
        if (now == null) {
            // reset meanwhile
            notSent(call, slot, caller.failure(FabricError.ECONNRESET, "the service was closed or opened anew"));
            return;
        }
        MemorySegment frame = frames[slot];
        long length = call.request.byteSize();
        if (length > now.largest()) {
            notSent(call, slot, caller.failure(FabricError.EMSGSIZE, "a request of " + length
                    + " bytes is more than the service takes, which is " + now.largest()));
            return;
        }
        boolean inline = length <= now.inlineBytes();
        Frame.write(frame, inline ? Frame.CALL : Frame.CALL_LARGE, now.connection(), now.key(), call.id, length,
                left, 0);
        if (inline) {
            MemorySegment.copy(call.request, 0, frame, Frame.HEADER, length);
        }
        send(call, slot, frame, Frame.HEADER + (inline ? length : 0));
    }

    private void notSent(Outgoing<?> call, int slot, Throwable why) {
        window.letGo(slot);
        failHere(call, slot, why);
    }

    /**
     * Never starts another call in this thread before it returns, however it ends: there may be a million. The slot was
     * held before anything is sent, as the answer may be here, and the slot free for others, before this goes on.
     */
    private void send(Outgoing<?> call, int slot, MemorySegment frame, long length) {
        CompletableFuture<Void> sent;
        try {
            sent = wire.send(frame, length, caller.peer(), tag);
        } catch (RuntimeException closed) {
            window.letGo(slot);
            throw closed;
        }
        if (sent == null) {
            window.letGo(slot);
            return;
        }
        if (sent.isDone()) {
            sent(call, slot, sent.isCompletedExceptionally() ? sent.exceptionNow() : null);
        } else {
            sent.whenComplete((done, failure) -> {
                sent(call, slot, failure);
                caller.drain();
            });
        }
    }

    private void sent(Outgoing<?> call, int slot, Throwable failure) {
        if (failure != null) {
            failHere(call, slot, failure);
        }
        window.letGo(slot);
    }

    /** Tells the service what becomes of an answer it has announced. */
    private void tell(Outgoing<?> call, int slot, int type, long length, long number, long answerTag) {
        Session now = session;
        MemorySegment control = controls[slot];
        Frame.write(control, type, now == null ? 0 : now.connection(), now == null ? 0 : now.key(), call.id, length,
                answerTag, number);
        window.hold(slot);
        send(call, slot, control, Frame.HEADER);
    }

    /** The service has made room. */
    private void sendPayload(Outgoing<?> call, int slot, long to) {
        if (!Wire.isPayload(to)) {
            return;
        }
        long length = call.request.byteSize();
        if (call.isDone()) {
            wire.sendNoPayload(length, caller.peer(), to);
            return;
        }
        Large.Block block = call.request.isNative() ? null : large.take(length);
        MemorySegment payload = block == null ? call.request : block.memory(length).copyFrom(call.request);
        window.hold(slot);
        wire.sendPayload(payload, caller.peer(), to).whenComplete((done, failure) -> {
            if (block != null && failure == null) {
                block.giveBack();
            } else if (block != null) {
                block.discard();
            }
            if (failure != null) {
                failHere(call, slot, failure);
            }
            window.letGo(slot);
            caller.drain();
        });
    }

    /** The answer is to come; makes room for it. */
    private Outgoing<?> longAnswer(Outgoing<?> call, int slot, long length, long number) {
        if (!call.claim()) {
            tell(call, slot, Frame.ANSWER_DROPPED, 0, number, 0);
            return dropped(call, slot);
        }
        Large.Block block = null;
        MemorySegment room = null;
        try {
            if (length > options.largestAnswer()) {
                throw caller.failure(FabricError.EMSGSIZE, "an answer of " + length + " bytes is more than "
                        + options.largestAnswer() + " (CallerOptions.withLargestAnswer)");
            }
            room = call.room(length);
            if (room == null) {
                block = large.take(length);
                if (block == null) {
                    throw caller.failure(FabricError.ENOMEM, "no memory for an answer of " + length + " bytes");
                }
                room = block.memory(length);
            }
        } catch (FabricException e) {
            call.failure(e);
            tell(call, slot, Frame.ANSWER_DROPPED, 0, number, 0);
            return over(call, slot);
        }
        receiveAnswer(call, slot, room, block, number);
        return null;
    }

    private void receiveAnswer(Outgoing<?> call, int slot, MemorySegment room, Large.Block block, long number) {
        Wire.Incoming incoming = wire.receivePayload(room, Duration.ofNanos(call.left(System.nanoTime())));
        window.hold(slot);
        incoming.received().whenComplete((received, failure) -> {
            if (failure != null) {
                call.failure(caller.failure(FabricError.ETIMEDOUT, "the answer did not come: " + failure));
            } else if (received != room.byteSize()) {
                call.failure(caller.failure(FabricError.ECONNRESET, "the service gave up the answer"));
            } else {
                call.arrived(room);
            }
            if (block != null && failure == null) {
                block.giveBack();
            } else if (block != null) {
                block.discard();
            }
            over(call, slot);
            window.letGo(slot);
            caller.drain();
            call.finish();
        });
        tell(call, slot, Frame.GO, room.byteSize(), number, incoming.tag());
    }

    @Override
    public void ended() {
        end("the node was closed");
    }

    private void end(String why) {
        ended = true;
        caller.ended(caller.failure(FabricError.ECANCELED, why));
    }

    /** Says goodbye, if that is possible at once. */
    void close() {
        Session now = session;
        ended = true;
        session = null;
        PooledBuffer bye = now != null && caller.peer().isOpen() ? hub.take() : null;
        if (bye != null) {
            Frame.write(bye.segment(), Frame.BYE, now.connection(), now.key(), 0, 0, 0, 0);
            hub.send(bye.segment(), Frame.HEADER, caller.peer(), tag, bye::close);
        }
        if (node.isOpen()) {
            hub.leave(replies, this);
        }
        large.close();
        // what is still with the provider keeps it open: then it is closed with the domain
        arena.tryClose();
    }
}
