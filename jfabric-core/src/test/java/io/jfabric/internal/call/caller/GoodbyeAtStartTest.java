// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service, made by hand, that says goodbye in the moment in which a call is taken from those that wait. */
@Timeout(60)
class GoodbyeAtStartTest {
    private static final int NUMBER = 5;

    /** Says what the test wants it to, and answers each call. */
    private static final class ByHand implements Hub.Receiver {
        private final NodeImpl node;
        private volatile Hub hub;
        private volatile Greeting greeting;
        private int accepted = -1;

        ByHand(Node node) {
            this.node = (NodeImpl) node;
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                greeting = Greeting.read(node, 4096, frame, length);
            } else if (Frame.type(frame) == Frame.CALL) {
                say(Frame.ANSWER, Frame.id(frame), greeting);
            }
            return null;
        }

        /** Unless it was accepted before. False, so that the caller of this goes on waiting. */
        boolean acceptNew(Greeting hello, long key) {
            if (hello.hello() != accepted) {
                accepted = hello.hello();
                PooledBuffer out = hub.take();
                new Welcome(hello.hello(), hello.key(), 1, key, 4096, 16, 1 << 20).write(out.segment());
                send(out, Welcome.LENGTH);
            }
            return false;
        }

        void say(int type, long id, Greeting to) {
            PooledBuffer out = hub.take();
            Frame.write(out.segment(), type, 1, to.key(), id, 0, 0, 0);
            send(out, Frame.HEADER);
        }

        private void send(PooledBuffer out, long length) {
            hub.send(out.segment(), length, greeting.peer(), greeting.tag(), out::close);
        }

        @Override
        public void ended() {
            // with the test
        }
    }

    /** Runs something when it is first asked whether it is still to be started. */
    private static final class Asked extends BytesCall {
        private final AtomicReference<Runnable> first;

        Asked(Drive drive, Runnable first) {
            super(drive, MemorySegment.ofArray(new byte[1]), 0, false);
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

    /** It was not sent, so the next session takes it. */
    @Test
    void theCallWaitsForTheNextSession() throws Exception {
        Providers.Choice choice = Providers.offered(Providers.SHM).findFirst().orElseThrow();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            ByHand service = new ByHand(b);
            service.hub = Hub.join((NodeImpl) b, Wire.requests(NUMBER), service);
            try (Caller caller = Caller.open(a.peer(b.address()), NUMBER)) {
                Waits.until("the caller says hello", () -> service.greeting != null);
                Greeting hello = service.greeting;
                Asked call = new Asked(((NodeImpl) a).drive(), () -> {
                    service.say(Frame.BYE, 1, hello);
                    Waits.until("the caller says hello again", () -> {
                        a.progress();
                        return service.greeting.key() != hello.key();
                    });
                });
                ((CallerImpl) caller).submit(call, Long.MAX_VALUE);
                // a hello that is late has another one behind it, and only the last may be accepted
                Waits.until("the caller says hello with another key", () -> {
                    Greeting now = service.greeting;
                    return now.key() != hello.key() || service.acceptNew(now, 1);
                });
                Waits.until("it calls", () -> {
                    Greeting now = service.greeting;
                    return call.isDone() || now.key() != hello.key() && service.acceptNew(now, 2);
                });
                assertThat(call.get(20, TimeUnit.SECONDS)).isEmpty();
            }
        }
    }
}
