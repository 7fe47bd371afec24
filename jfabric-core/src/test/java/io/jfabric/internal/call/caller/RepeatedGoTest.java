// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;

/** A service that asks for a long request more than once, and for one that follows by itself. */
@Timeout(60)
class RepeatedGoTest {
    private static final long KEY = 42;
    private static final int EARLY = 100_000;
    private static final int LATER = (int) Wire.EAGER + 1;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final class Greedy extends ServiceByHand {
        final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
        final BlockingQueue<Long> calls = new LinkedBlockingQueue<>();

        Greedy(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT && !greeting.isDone()) {
                Greeting read = read(frame, length);
                accept(read, read.hello(), KEY, 16, LATER);
                greeting.complete(read);
            } else if (Frame.type(frame) == Frame.CALL_LARGE) {
                calls.add(Frame.id(frame));
            }
            return null;
        }

        Wire.Incoming asks(Node node, long id, int size) {
            Wire.Incoming incoming = hub().wire.receivePayload(node.allocate(size), DEADLINE);
            say(greeting.join(), Frame.GO, 1, id, size, incoming.tag());
            return incoming;
        }
    }

    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void itIsSentOnce(NodePair nodes) throws Exception {
        Greedy service = new Greedy(nodes.b);
        service.join();
        try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER)) {
            caller.call(new byte[LATER], DEADLINE);
            long later = service.calls.poll(20, TimeUnit.SECONDS);
            assertThat(service.asks(nodes.b, later, LATER).received().get(20, TimeUnit.SECONDS)).isEqualTo(LATER);
            Wire.Incoming again = service.asks(nodes.b, later, LATER);
            caller.call(new byte[EARLY], DEADLINE);
            Wire.Incoming early = service.asks(nodes.b, service.calls.poll(20, TimeUnit.SECONDS), EARLY);
            for (Wire.Incoming none : new Wire.Incoming[] {again, early}) {
                assertThatThrownBy(() -> none.received().get(500, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                none.cancel();
            }
        }
    }
}
