// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service, made by hand, that is opened anew while it is called. */
@Timeout(60)
class SessionsTest {
    private static final int NUMBER = 5;
    private static final int WINDOW = 4096;
    private static final int MANY = 500;

    /** Answers with the key that the caller has. */
    private static final class ByHand implements Hub.Receiver {
        private final NodeImpl node;
        private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
        /** By the number of the call: in which session it was sent. */
        private final Map<Long, Long> keys = new ConcurrentHashMap<>();
        private volatile Hub hub;
        private volatile long key = 1;
        private volatile int hello;
        /** That of the last call. */
        private volatile long latest;

        ByHand(Node node) {
            this.node = (NodeImpl) node;
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                hello = Frame.connection(frame);
                if (greeting.complete(Greeting.read(node, 4096, frame, length))) {
                    accept();
                }
            } else if (Frame.type(frame) == Frame.CALL) {
                keys.put(Frame.id(frame), Frame.key(frame));
                latest = Frame.key(frame);
                answer(Frame.id(frame));
            }
            return null;
        }

        void accept() {
            PooledBuffer out = hub.take();
            new Welcome(hello, greeting.join().key(), 1, key, 4096, WINDOW, 1 << 20).write(out.segment());
            hub.send(out.segment(), Welcome.LENGTH, greeting.join().peer(), greeting.join().tag(), out::close);
        }

        private void answer(long id) {
            PooledBuffer out = hub.take();
            Frame.write(out.segment(), Frame.ANSWER, 1, greeting.join().key(), id, 0, 0, 0);
            hub.send(out.segment(), Frame.HEADER, greeting.join().peer(), greeting.join().tag(), out::close);
        }

        @Override
        public void ended() {
            // with the test
        }
    }

    /** What is begun in the new session is not of the old one. */
    @Test
    void callsOfTheNextSessionGoOn() throws Exception {
        Providers.Choice choice = Providers.offered(Providers.SHM).findFirst().orElseThrow();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            ByHand service = new ByHand(b);
            service.hub = Hub.join((NodeImpl) b, Wire.requests(NUMBER), service);
            try (Caller caller = Caller.open(a.peer(b.address()), NUMBER, CallerOptions.DEFAULT.withWindow(WINDOW)
                    .withDeadline(Duration.ofSeconds(20)))) {
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
                caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
                while (System.nanoTime() - end < 0) {
                    openedAnew(service, caller);
                }
            }
        }
    }

    private static void openedAnew(ByHand service, Caller caller) {
        long key = service.key + 1;
        service.key = key;
        service.accept();
        List<Outgoing<?>> calls = new ArrayList<>();
        // it has come when calls are of it
        Waits.spin("the new session has come", () -> {
            calls.add((Outgoing<?>) caller.call(new byte[1]));
            if (calls.size() > MANY) {
                calls.get(calls.size() - MANY).handle((done, why) -> why).join();
            }
            return service.latest == key;
        });
        for (Outgoing<?> call : calls) {
            Throwable failure = call.handle((done, why) -> why).join();
            if (failure != null && service.keys.containsKey(call.id)) {
                assertThat(service.keys.get(call.id)).as("the session of %s", failure).isNotEqualTo(key);
            }
        }
        service.keys.clear();
    }
}
