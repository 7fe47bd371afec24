// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service, made by hand, and what happens in the moment in which a call is taken from those that wait. */
@Timeout(60)
class GoodbyeAtStartTest {

    /** Says what the test wants it to, and answers each call. */
    private static final class ByHand extends ServiceByHand {
        private volatile Greeting greeting;
        private long session;
        private long accepted;
        private volatile boolean answers = true;

        ByHand(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                greeted(read(frame, length));
            } else if (Frame.type(frame) == Frame.CALL && answers) {
                say(greeting, Frame.ANSWER, 1, Frame.id(frame), 0, 0);
            }
            return null;
        }

        /** From now on, until it has another key: a caller that waits says hello again. */
        synchronized void accept(long key) {
            session = key;
            accepted = greeting.key();
            accept(greeting, greeting.hello(), key, 16, 1 << 20);
        }

        private synchronized void greeted(Greeting hello) {
            greeting = hello;
            if (hello.key() == accepted) {
                accept(session);
            }
        }
    }

    /** Runs something when it is first asked whether it is still to be started. */
    private static final class Asked extends BytesCall {
        private final AtomicReference<Runnable> first;

        Asked(Drive drive, long end, Runnable first) {
            super(drive, MemorySegment.ofArray(new byte[1]), end);
            this.first = new AtomicReference<>(first);
        }

        @Override
        public boolean isDone() {
            // the clock asks, too
            Runnable now = first == null || Thread.currentThread().getName().equals("jfabric-clock") ? null
                    : first.getAndSet(null);
            if (now != null) {
                now.run();
            }
            return super.isDone();
        }
    }

    /** More than once. */
    private static void theClockLooks() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private NodePair nodes;
    private ByHand service;
    private CallerImpl caller;

    @BeforeEach
    void theCallerHasSaidHello() {
        nodes = NodePair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
        service = new ByHand(nodes.b);
        service.join();
        caller = (CallerImpl) Caller.open(nodes.toB, ServiceByHand.NUMBER);
        Waits.until("the caller says hello", () -> service.greeting != null);
    }

    @AfterEach
    void close() {
        try (NodePair _ = nodes) {
            if (caller != null) {
                caller.close();
            }
        }
    }

    private Asked call(long end, Runnable first) {
        return new Asked(((NodeImpl) nodes.a).drive(), end, first);
    }

    /** It was not sent, so the next session takes it. */
    @Test
    void theCallWaitsForTheNextSession() throws Exception {
        Greeting hello = service.greeting;
        Asked call = call(Long.MAX_VALUE, () -> {
            theClockLooks();
            service.say(hello, Frame.BYE, 1, 1, 0, 0);
            Waits.until("the caller says hello again", () -> {
                nodes.a.progress();
                return service.greeting.key() != hello.key();
            });
        });
        caller.submit(call, Long.MAX_VALUE);
        service.accept(1);
        Waits.until("the caller says hello again", () -> service.greeting.key() != hello.key());
        service.accept(2);
        assertThat(call.get(20, TimeUnit.SECONDS)).isEmpty();
    }

    /** The clock, which stops when it has nothing to look at, looks more than once before the call is under way. */
    @Test
    void theCallEndsInTimeWhereTheClockLookedMeanwhile() throws Exception {
        service.answers = false;
        long nanos = TimeUnit.SECONDS.toNanos(2);
        CountDownLatch begins = new CountDownLatch(1);
        Asked call = call(Clock.after(nanos), () -> {
            theClockLooks();
            begins.countDown();
        });
        caller.submit(call, nanos);
        service.accept(1);
        assertThat(begins.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(call).failsWithin(20, TimeUnit.SECONDS).withThrowableThat()
                .withMessageContaining("no answer in time");
    }
}
