// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a service tells a caller that was slower than it has patience; with a caller made by hand. */
@Timeout(60)
class LostAnswerTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** What is needed of what the service says. */
    private record Session(int connection, long key) {
    }

    /** Keeps what says the service. */
    private static final class Listener implements Hub.Receiver {
        private final CompletableFuture<Session> accepted = new CompletableFuture<>();

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.ACCEPT) {
                accepted.complete(new Session(Frame.connection(frame), Frame.id(frame)));
            }
            return null;
        }

        @Override
        public void ended() {
            // with the test
        }
    }

    /** The caller says where to send an answer that the service has given up: it is told that nothing comes. */
    @ParameterizedTest
    @MethodSource("providers")
    void roomForAnAnswerThatWasGivenUp(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> call.answer(new byte[1]))) {
            NodeImpl node = (NodeImpl) a;
            Peer peer = a.peer(b.address());
            long tag = Wire.replies(Wire.newNumber());
            Listener listener = new Listener();
            Hub hub = Hub.join(node, tag, listener);
            byte[] address = a.address().bytes();
            MemorySegment hello = a.allocate(Frame.HEADER + address.length);
            Frame.write(hello, Frame.CONNECT, 0, 42, 4096, address.length, 16, tag);
            MemorySegment.copy(address, 0, hello, ValueLayout.JAVA_BYTE, Frame.HEADER, address.length);
            hub.wire.send(hello, hello.byteSize(), peer, Wire.requests(5));
            Session session = listener.accepted.get(20, TimeUnit.SECONDS);
            MemorySegment room = a.allocate(100_000);
            Wire.Incoming incoming = hub.wire.receivePayload(room, Duration.ofSeconds(20));
            MemorySegment go = a.allocate(Frame.HEADER);
            Frame.write(go, Frame.GO, session.connection(), session.key(), 1, room.byteSize(), incoming.tag(), 77);
            hub.wire.send(go, Frame.HEADER, peer, Wire.requests(5));
            assertThat(incoming.received().get(30, TimeUnit.SECONDS)).isZero();
            hub.leave(tag, listener, false);
        }
    }
}
