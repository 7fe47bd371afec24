// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Received;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The node has no place for a request when the service, made by hand, has made room for it: that waits for it. */
@Timeout(60)
class RefusedPayloadTest {
    private static final int SIZE = 8 << 20;

    /** Says nothing of calls but which have come. */
    private static final class Silent extends ServiceByHand {
        private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
        private final BlockingQueue<Long> calls = new LinkedBlockingQueue<>();

        Silent(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CALL_LARGE) {
                calls.add(Frame.id(frame));
            } else if (Frame.type(frame) == Frame.CONNECT
                    && greeting.complete(read(frame, length))) {
                accept(greeting.join(), greeting.join().hello(), 1, 16, SIZE);
            }
            return null;
        }

        void go(long id, long tag) {
            say(greeting.join(), Frame.GO, 1, id, SIZE, tag);
        }
    }

    /** Of shm a long message that nobody receives is over at once, since libfabric 2. */
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theRequestComesWhenThereIsAPlace(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withTransmitLimit(16).withReceiveLimit(1000)
                        .withPeerLimit(1).withBacklog(0));
                Node b = Node.open(hints)) {
            Silent service = new Silent(b);
            service.join();
            Peer toB = a.peer(b.address());
            try (Caller caller = Caller.open(toB, ServiceByHand.NUMBER)) {
                CompletableFuture<byte[]> call = caller.call(new byte[SIZE], Duration.ofSeconds(40));
                Long id = service.calls.poll(20, TimeUnit.SECONDS);
                assertThat(id).isNotNull();
                // takes the one place, until it is received
                CompletableFuture<Void> unread = a.send(a.allocate(SIZE), toB, 1);
                Wire.Incoming incoming = service.hub().wire.receivePayload(b.allocate(SIZE), Duration.ofSeconds(20));
                service.go(id, incoming.tag());
                Thread.sleep(200);
                assertThat(unread).isNotDone();
                assertThat(call).isNotDone();
                CompletableFuture<Received> read = b.receive(b.allocate(SIZE), 1);
                assertThat(read.get(20, TimeUnit.SECONDS).length()).isEqualTo(SIZE);
                assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isEqualTo(SIZE);
            }
        }
    }
}
