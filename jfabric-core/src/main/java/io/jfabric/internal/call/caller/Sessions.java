// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.Unguessable;
import io.jfabric.internal.call.wire.CallerGoodbye;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Refusal;
import io.jfabric.internal.call.wire.ServiceGoodbye;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How a caller gets a session with its service, learns that it is over, and gets the next one. */
final class Sessions {
    private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LAST_RETRY = TimeUnit.SECONDS.toNanos(2);
    /** After so long without a sign of life the service is asked for one. */
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);
    /** In milliseconds: another thread may still be handling answers that came before the end of a session. */
    private static final long GRACE = 50;

    private final CallerImpl caller;
    private final CallFailures failures;
    private final Window window;
    private final NodeImpl node;
    private final long tag;
    private final long replies;
    private Hub hub;
    private Outlet outlet;
    private MemorySegment greeting;
    private volatile Session session;
    /** The key of the session that is, or is being, agreed on. */
    private volatile long ownKey = Unguessable.number();
    /** The key of the previous session, which may still get answers. */
    private volatile long formerKey;
    private volatile boolean greetingIsSent = true;
    /** How many hellos were sent, and the last one that was answered; under the lock. */
    private int hellos;
    private int answered;
    /** The service's key in its last goodbye: something it said earlier may be handled later. Under the lock. */
    private long gone;
    private long lastGreeting;
    private long nextGreeting;
    private long retry;
    /** Whether anything but a refusal has come since the clock last looked. */
    private volatile boolean heard;
    /** Whether the last hello was refused and no call has begun since. */
    private volatile boolean isRefused;
    /** Whether a call has begun after a refusal. */
    private volatile boolean isWanted;
    private volatile boolean ended;

    /** {@code tag} is the target of messages to the service, {@code replies} that of its replies. */
    Sessions(CallerImpl caller, Window window, long tag, long replies) {
        this.caller = caller;
        this.failures = caller.failures();
        this.window = window;
        this.node = (NodeImpl) caller.peer().node();
        this.tag = tag;
        this.replies = replies;
        begin();
    }

    /** Says hello for the first time, from the given memory. */
    void open(Hub joined, Outlet requests, MemorySegment memory) {
        hub = joined;
        outlet = requests;
        greeting = memory;
        OwedGoodbyes.of(node).take(caller.peer().address(), tag).forEach(this::say);
        tick(Clock.now());
    }

    /** Null while none is agreed on. */
    Session current() {
        return session;
    }

    boolean isReady() {
        return session != null;
    }

    /** Whether the service has ever answered a hello. */
    synchronized boolean isKnown() {
        return answered != 0;
    }

    /** Whether the clock is to say hello again. */
    boolean isBusy() {
        return session == null && !ended;
    }

    /** When it is to do so, by the clock. */
    synchronized long nextHello(long now) {
        // the last one may take long
        return greetingIsSent ? nextGreeting : now + FIRST_RETRY;
    }

    /** Begins to agree on a session. */
    private void begin() {
        session = null;
        formerKey = ownKey;
        ownKey = Unguessable.number();
        retry = FIRST_RETRY;
        nextGreeting = Clock.now();
    }

    /** Says hello again and again until the service answers, and again when it does not answer calls. */
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
            sent = hub.wire.send(greeting, greeting.byteSize(), caller.peer(), tag);
        } catch (FabricException | IllegalStateException | IllegalArgumentException refused) {
            // the next hello may go; or the peer or the hub tells the caller why not
            return;
        }
        if (sent != null) {
            greetingIsSent = false;
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, () -> greetingIsSent = true));
        }
    }

    /** A call waits for a session. After a refusal no hello follows soon unless there is such a call. */
    void wanted() {
        if (isRefused) {
            isRefused = false;
            isWanted = true;
        }
    }

    /** Whether a message belongs to one of its sessions; if so, the service is alive. */
    boolean takes(MemorySegment frame) {
        long key = Frame.key(frame);
        int type = Frame.type(frame);
        if (key != ownKey && (key != formerKey || isOfSession(type))) {
            return false;
        }
        if (!heard && type != Frame.REFUSE) {
            heard = true;
        }
        return true;
    }

    /** Whether it is about the session, not about a call. */
    static boolean isOfSession(int type) {
        return type == Frame.ACCEPT || type == Frame.REFUSE || type == Frame.BYE;
    }

    /** A message that {@link #isOfSession}. */
    void arrived(MemorySegment frame, long length) {
        switch (Frame.type(frame)) {
            case Frame.ACCEPT -> {
                Welcome welcome = Welcome.read(frame, length);
                if (welcome != null) {
                    accepted(welcome);
                }
            }
            case Frame.REFUSE -> {
                Refusal refusal = Refusal.read(frame, length);
                if (refusal != null) {
                    refused(refusal);
                }
            }
            default -> saidGoodbye(ServiceGoodbye.read(frame));
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
            failUnderWay(before, "the service was opened anew, or had given this caller up: as an answer could not be "
                    + "sent to it, maybe because the connection broke; as dead, if a KeepAlive there missed this node; "
                    + "or as idle. Whether it had seen the call is unknown");
        }
        window.grant(welcome.slots());
    }

    /** Whether the answer to that hello is to be believed: another thread may already have handled a later one. */
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
            say(new CallerGoodbye(bye.connection(), bye.serviceKey(), bye.callerKey(), replies));
        }
        reset(bye.callerKey(), bye.serviceKey(), "the service was closed");
    }

    /** Also while there is a session: then only this side still knows it, and no call under way will be answered. */
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
            caller.failWaiting(refusal.isClosing() ? failures.busy(true)
                    : failures.unhandled(FabricError.ECONNREFUSED, refusal.why()));
        } else {
            // calls that wait go on to the next hello
            reset(refusal.callerKey(), now.key(), refusal.why());
        }
    }

    /** Does nothing if another thread has begun a new session meanwhile. */
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

    /** Soon, not at once: other threads may have polled answers to some of the calls. */
    private void failUnderWay(Session over, String why) {
        Aside.later(GRACE,
                () -> caller.failUnderWay(over, failures.of(FabricError.ECONNRESET, why)));
    }

    private void say(CallerGoodbye goodbye) {
        PooledBuffer bye = hub.take();
        if (bye != null) {
            goodbye.write(bye.segment());
            outlet.flush();
            hub.send(bye.segment(), Frame.HEADER, caller.peer(), tag, bye::close);
        }
    }

    /** There are to be no more sessions. */
    void end() {
        ended = true;
    }

    /** The same, and says goodbye if that is possible at once; if the peer has ended, the next caller does. */
    void close() {
        Session now;
        boolean hasCalled;
        synchronized (this) {
            now = session;
            ended = true;
            session = null;
            // it may have wrapped
            hasCalled = hellos != 0;
        }
        // also to a service that has not answered: it may keep a place
        CallerGoodbye goodbye = new CallerGoodbye(now == null ? 0 : now.connection(), now == null ? 0 : now.key(),
                ownKey, replies);
        if (hasCalled && caller.peer().isOpen()) {
            say(goodbye);
        } else if (hasCalled && node.isOpen()) {
            OwedGoodbyes.of(node).add(caller.peer().address(), tag, goodbye);
        }
    }
}
