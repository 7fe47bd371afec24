// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** A service, made by hand, that is opened anew while it is called. */
@Timeout(60)
@Tag("long")
class SessionsTest {
    private static final int WINDOW = 4096;
    private static final int MANY = 500;

    /** Answers with the key that the caller has. */
    private static final class ByHand extends ServiceByHand {
        private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
        /** By the number of the call: in which session it was sent. */
        private final Map<Long, Long> keys = new ConcurrentHashMap<>();
        private volatile long key = 1;
        private volatile int hello;
        /** That of the last call. */
        private volatile long latest;

        ByHand(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                hello = Frame.connection(frame);
                if (greeting.complete(read(frame, length))) {
                    accept();
                }
            } else if (Frame.type(frame) == Frame.CALL) {
                keys.put(Frame.id(frame), Frame.key(frame));
                latest = Frame.key(frame);
                say(greeting.join(), Frame.ANSWER, 1, Frame.id(frame), 0, 0);
            }
            return null;
        }

        void accept() {
            accept(greeting.join(), hello, key, WINDOW, 1 << 20);
        }
    }

    /** What is begun in the new session is not of the old one. */
    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void callsOfTheNextSessionGoOn(NodePair nodes) throws Exception {
        ByHand service = new ByHand(nodes.b);
        service.join();
        try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER,
                CallerOptions.DEFAULT.withWindow(WINDOW).withDeadline(Duration.ofSeconds(20)))) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            while (System.nanoTime() - end < 0) {
                openedAnew(service, caller);
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
