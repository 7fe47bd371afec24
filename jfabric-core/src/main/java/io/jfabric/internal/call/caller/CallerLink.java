// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricArena;
import io.jfabric.FabricError;
import io.jfabric.async.CallException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.Unguessable;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.CallerGoodbye;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Refusal;
import io.jfabric.internal.call.wire.ServiceGoodbye;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a caller agrees on with a service, and gets from it. */
final class CallerLink implements Hub.Receiver {
    private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LAST_RETRY = TimeUnit.SECONDS.toNanos(2);
    /** So long without a sign, and it is asked for one. */
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);
    /** In milliseconds: answers that came before the end of a session may still be in another thread's hands. */
    private static final long GRACE = 50;
    private static final Logger LOG = LoggerFactory.getLogger(Caller.class);

    private final CallerImpl caller;
    private final CallFailures failures;
    private final CallerOptions options;
    private final Window window;
    private Hub hub;
    private Wire wire;
    private Outlet outlet;
    private final FabricArena arena;
    private CallerPayloads payloads;
    private Requests requests;
    private final long tag;
    private final NodeImpl node;
    private final long replies = Wire.replies(Wire.newNumber());
    private MemorySegment greeting;
    private volatile Session session;
    /** Of the session that is being agreed on, or is. */
    private volatile long ownKey;
    /** Of the one before, which may still get answers. */
    private volatile long formerKey;
    private volatile boolean greetingIsSent = true;
    /** How many hellos were sent, and the last that was answered; under the lock. */
    private int hellos;
    private int answered;
    /** The service's key in the last goodbye: what it has said before may be handled after that. Under the lock. */
    private long gone;
    private long lastGreeting;
    private long nextGreeting;
    private long retry;
    /** Anything but a refusal, since the clock looked last. */
    private volatile boolean heard;
    /** Whether the last hello was refused, and no call was begun since. */
    private volatile boolean isRefused;
    /** Whether a call was begun after that. */
    private volatile boolean isWanted;
    private volatile boolean ended;

    CallerLink(CallerImpl caller, Window window) {
        this.caller = caller;
        this.failures = caller.failures();
        this.options = caller.options();
        this.window = window;
        this.node = (NodeImpl) caller.peer().node();
        node.requireTagged("Caller.open");
        this.tag = Wire.requests(caller.service());
        this.arena = FabricArenaImpl.openBorrowed(node.domain());
    }

    Drive drive() {
        return node.drive();
    }

    boolean isReady() {
        return session != null;
    }

    /** Null while none is agreed on. */
    Session session() {
        return session;
    }

    /** What short requests go through. */
    Outlet outlet() {
        return outlet;
    }

    /** Whether the clock has something to do here. */
    boolean isBusy() {
        return session == null && !ended;
    }

    void open() {
        begin();
        try {
            greeting = arena.allocate(Greeting.length(node.address().bytes()));
            Requests.Frames frames = new Requests.Frames(arena, window.size);
            hub = Hub.join(node, replies, this);
            wire = hub.wire;
            outlet = new Outlet(hub, caller.peer(), tag, true);
            payloads = new CallerPayloads(caller, this, window, hub, node.domain());
            requests = new Requests(caller, this, window, hub, payloads, frames);
        } catch (RuntimeException | Error e) {
            if (hub != null) {
                hub.leave(replies, this, false);
            }
            arena.tryClose();
            throw e;
        }
        tick(Clock.now());
    }

    /** A session is to be agreed on. */
    private void begin() {
        session = null;
        formerKey = ownKey;
        ownKey = Unguessable.number();
        retry = FIRST_RETRY;
        nextGreeting = Clock.now();
    }

    /** Says hello, again and again, until the service answers; and again when it does not answer calls. */
    synchronized void tick(long now) {
        if (heard) {
            heard = false;
            retry = FIRST_RETRY;
            nextGreeting = session == null ? now : now + QUIET;
        } else if (isWanted) {
            isWanted = false;
            retry = FIRST_RETRY;
            nextGreeting = lastGreeting + FIRST_RETRY;
        }
        if (ended || now - nextGreeting < 0 || !greetingIsSent || session != null && window.underWay() == 0) {
            return;
        }
        lastGreeting = now;
        nextGreeting = now + retry;
        retry = Math.min(2 * retry, LAST_RETRY);
        CompletableFuture<Void> sent;
        try {
            Greeting.write(greeting, node.address().bytes(), replies, ownKey, hub.inline, window.size, ++hellos);
            sent = wire.send(greeting, greeting.byteSize(), caller.peer(), tag);
        } catch (IllegalStateException | IllegalArgumentException closed) {
            // the caller is told why by the peer or the hub
            return;
        }
        if (sent != null) {
            greetingIsSent = false;
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, () -> greetingIsSent = true));
        }
    }

    /** A call waits for a session. Who was refused does not ask again soon without one. */
    void wanted() {
        if (isRefused) {
            isRefused = false;
            isWanted = true;
        }
    }

    @Override
    public Outgoing<?> arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        long key = Frame.key(frame);
        if (key != ownKey && (key != formerKey || isOfSession(Frame.type(frame)))) {
            return null;
        }
        if (!heard && Frame.type(frame) != Frame.REFUSE) {
            heard = true;
        }
        Outgoing<?> over = handle(frame, length);
        try {
            caller.drain();
        } catch (RuntimeException | Error e) {
            // who is over has been claimed, and nobody else would end it
            LOG.error("the calls that wait at {} could not be started", caller, e);
        }
        return over;
    }

    /** Whether it is about the session, not about a call. */
    private static boolean isOfSession(int type) {
        return type == Frame.ACCEPT || type == Frame.REFUSE || type == Frame.BYE;
    }

    /** A call that is over, to be finished; null if none is. */
    private Outgoing<?> handle(MemorySegment buffer, long length) {
        switch (Frame.type(buffer)) {
            case Frame.ACCEPT -> {
                Welcome welcome = Welcome.read(buffer, length);
                if (welcome != null) {
                    accepted(welcome);
                }
            }
            case Frame.REFUSE -> {
                Refusal refusal = Refusal.read(buffer, length);
                if (refusal != null) {
                    refused(refusal);
                }
            }
            case Frame.BYE -> saidGoodbye(ServiceGoodbye.read(buffer));
            default -> {
                long id = Frame.id(buffer);
                Outgoing<?> call = window.find(id);
                if (call != null) {
                    return reply(call, Window.slot(id), buffer, length);
                }
                if (Frame.type(buffer) == Frame.ANSWER_LARGE) {
                    sendDropped(id, LongFrames.answerNumber(buffer));
                }
            }
        }
        return null;
    }

    /** Of a call that is over: a service that asks where to send its answer is not to wait for that. */
    void sendDropped(long id, long number) {
        Session now = session;
        PooledBuffer out = now != null ? hub.take() : null;
        if (out != null) {
            LongFrames.drop(out.segment(), now.connection(), now.key(), id, number);
            hub.send(out.segment(), Frame.HEADER, caller.peer(), tag, out::close);
        }
    }

    private void accepted(Welcome welcome) {
        Session before;
        synchronized (this) {
            before = session;
            if (ended || welcome.callerKey() != ownKey || !isNew(welcome.hello()) || welcome.key() == gone
                    || before != null && before.key() == welcome.key()) {
                return;
            }
            session = new Session(welcome.connection(), welcome.key(), Math.min(hub.inline, welcome.inlineBytes()),
                    welcome.largest());
        }
        if (before != null) {
            failUnderWay(before, "the service was opened anew, or had given this caller up: as dead, if a KeepAlive "
                    + "there missed this node, or as idle; whether it had seen the call is unknown");
        }
        window.grant(welcome.slots());
    }

    /** Whether what answers that hello is to be believed: another thread may have handled a later one before. */
    private boolean isNew(int hello) {
        boolean is = hello - answered >= 0 && hello - hellos <= 0;
        if (is) {
            answered = hello;
        }
        return is;
    }

    private void saidGoodbye(ServiceGoodbye bye) {
        synchronized (this) {
            if (bye.callerKey() != ownKey) {
                return;
            }
            gone = bye.serviceKey();
        }
        if (bye.isAnswered()) {
            sayGoodbye(bye.connection(), bye.serviceKey(), bye.callerKey());
        }
        reset(bye.callerKey(), bye.serviceKey(), "the service was closed");
    }

    /** Also where there is a session: then only this side still knows it, and nothing that is under way is answered. */
    private void refused(Refusal refusal) {
        Session now;
        synchronized (this) {
            if (refusal.callerKey() != ownKey || !isNew(refusal.hello())) {
                return;
            }
            now = session;
        }
        if (now == null) {
            isRefused = true;
            caller.failWaiting(failures.of(FabricError.ECONNREFUSED, refusal.why()));
        } else {
            // what waits goes on to the next hello
            reset(refusal.callerKey(), now.key(), refusal.why());
        }
    }

    /** Unless another thread has begun a new one meanwhile. */
    private void reset(long key, long serviceKey, String why) {
        Session before;
        synchronized (this) {
            before = session;
            if (before == null || key != ownKey || before.key() != serviceKey) {
                return;
            }
            begin();
        }
        caller.needsSession();
        failUnderWay(before, why);
    }

    /** Soon: other threads may have polled answers to some of them that came before. */
    private void failUnderWay(Session over, String why) {
        Ticks.once(GRACE, () -> Completing.startAside(
                () -> caller.failUnderWay(over, failures.of(FabricError.ECONNRESET, why))));
    }

    private Outgoing<?> reply(Outgoing<?> call, int slot, MemorySegment buffer, long length) {
        switch (Frame.type(buffer)) {
            case Frame.ANSWER -> {
                if (!Frame.isWhole(buffer, length)) {
                    return null;
                }
                payloads.answerWasShort();
                return shortAnswer(call, slot, buffer, length - Frame.HEADER);
            }
            case Frame.FAILURE -> {
                return !Frame.isWhole(buffer, length) ? null
                        : fail(call, slot, new CallException(failures.what(), Frame.text(buffer)));
            }
            case Frame.BUSY -> {
                return fail(call, slot, failures.busy(CallFrames.isClosing(buffer)));
            }
            case Frame.LATE -> {
                return fail(call, slot, failures.of(FabricError.ETIMEDOUT, "the deadline passed before "
                        + "the service could begin the call"));
            }
            case Frame.TOO_LONG -> {
                return fail(call, slot, failures.of(FabricError.EMSGSIZE, "a request of " + call.request.byteSize()
                        + " bytes is more than the service takes"));
            }
            case Frame.GO -> payloads.go(call, slot, LongFrames.requestTag(buffer));
            case Frame.ANSWER_LARGE -> {
                return longAnswer(call, slot, Frame.length(buffer), LongFrames.answerNumber(buffer));
            }
            default -> { }
        }
        return null;
    }

    private Outgoing<?> shortAnswer(Outgoing<?> call, int slot, MemorySegment buffer, long length) {
        if (length > options.largestAnswer()) {
            return fail(call, slot, failures.tooLong(length));
        }
        Announced announced = call.announced;
        try {
            if (announced != null && announced.answered(buffer, Frame.HEADER, length)) {
                return null;
            }
        } catch (OutOfMemoryError none) {
            return fail(call, slot, none);
        }
        return call.claim() && call.deliver(buffer, Frame.HEADER, length) ? over(call, slot) : dropped(call, slot);
    }

    Outgoing<?> over(Outgoing<?> call, int slot) {
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
        Announced announced = call.announced;
        if (announced != null && announced.failed(why)) {
            return null;
        }
        if (!call.claim()) {
            return dropped(call, slot);
        }
        call.failure(why);
        return over(call, slot);
    }

    /** The service has an answer for which there is no room yet. */
    private Outgoing<?> longAnswer(Outgoing<?> call, int slot, long length, long number) {
        Announced announced = call.announced;
        if (announced == null && call.claim()) {
            return payloads.receive(call, slot, length, number);
        }
        requests.tellDropped(call, slot, number);
        return announced == null ? dropped(call, slot)
                : fail(call, slot, MemoryCall.tooLong(length, announced.room));
    }

    /** What is sent about calls. */
    Requests requests() {
        return requests;
    }

    /**
     * It cannot be sent, or not wholly. What the program has appended does not run in this thread, which may be
     * starting calls: it could call again, which would start the next, and so on until the stack is full.
     */
    void failHere(Outgoing<?> call, int slot, Throwable why) {
        Outgoing<?> over = fail(call, slot, failures.ofCall(why));
        Announced announced = call.announced;
        if (over != null) {
            drive().completing().runAside(over::finish);
        } else if (announced != null) {
            announced.giveUp();
        }
    }

    private void sayGoodbye(int connection, long serviceKey, long key) {
        PooledBuffer bye = hub.take();
        if (bye != null) {
            new CallerGoodbye(connection, serviceKey, key, replies).write(bye.segment());
            outlet.flush();
            hub.send(bye.segment(), Frame.HEADER, caller.peer(), tag, bye::close);
        }
    }

    @Override
    public void ended() {
        end("the node was closed");
    }

    private void end(String why) {
        ended = true;
        caller.ended(failures.of(FabricError.ECANCELED, why));
    }

    /** Says goodbye, if that is possible at once. What there was under way may still be answered. */
    void close(boolean hadCalls) {
        Session now;
        boolean hasCalled;
        synchronized (this) {
            now = session;
            ended = true;
            session = null;
            hasCalled = hellos > 0;
        }
        // also to who has not answered: it keeps a place
        if (hasCalled && caller.peer().isOpen()) {
            sayGoodbye(now == null ? 0 : now.connection(), now == null ? 0 : now.key(), ownKey);
        }
        if (node.isOpen()) {
            hub.leave(replies, this, hadCalls);
        }
        if (payloads != null) {
            payloads.close();
        }
        Leftover.close(arena::tryClose);
    }
}
