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
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** What stands where in the messages of a caller. */
@Timeout(60)
class CallerFramesTest {
    private static final long KEY = 0x1122_3344_5566_7788L;
    private static final long NUMBER = 0x0102_0304_0506_0708L;
    private static final int WINDOW = 7;
    private static final int REQUEST = (int) Wire.EAGER + 1;
    private static final int ANSWER = 100_000;

    /** Keeps the headers. */
    private static final class ByHand extends ServiceByHand {
        private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
        private final CompletableFuture<byte[]> address = new CompletableFuture<>();
        private final BlockingQueue<RawHeader> headers = new LinkedBlockingQueue<>();

        ByHand(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            RawHeader header = RawHeader.of(frame);
            if (Frame.type(frame) != Frame.CONNECT) {
                headers.add(header);
            } else if (!greeting.isDone()) {
                headers.add(header);
                address.complete(frame.asSlice(56, length - 56).toArray(ValueLayout.JAVA_BYTE));
                greeting.complete(read(frame, length));
                accept(greeting.join(), greeting.join().hello(), KEY, 16, REQUEST);
            }
            return null;
        }

        RawHeader next() throws InterruptedException {
            return headers.poll(20, TimeUnit.SECONDS);
        }
    }

    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void areWhereTheyWere(NodePair nodes) throws Exception {
        ByHand service = new ByHand(nodes.b);
        service.join();
        RawHeader hello;
        try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER,
                CallerOptions.DEFAULT.withWindow(WINDOW))) {
            hello = service.next();
            assertThat(hello).isEqualTo(new RawHeader(RawHeader.first(1), 1, hello.key(), service.hub().inline,
                    nodes.a.address().bytes().length, WINDOW, hello.more()));
            assertThat(hello.more() >>> 48).isEqualTo(2);
            assertThat(service.address.join()).isEqualTo(nodes.a.address().bytes());
            longCall(nodes, service, caller);
        }
        assertThat(service.next()).isEqualTo(new RawHeader(RawHeader.first(13), 1, KEY, hello.key(), 0, 0,
                hello.more()));
    }

    private static void longCall(NodePair nodes, ByHand service, Caller caller) throws Exception {
        Greeting greeting = service.greeting.join();
        CompletableFuture<byte[]> call = caller.call(new byte[REQUEST], Duration.ofSeconds(20));
        RawHeader request = service.next();
        assertThat(request.time()).isBetween(0L, Duration.ofSeconds(20).toNanos());
        assertThat(request).isEqualTo(new RawHeader(RawHeader.first(5), 1, KEY, request.id(), REQUEST, request.time(),
                0));
        Wire.Incoming incoming = service.hub().wire.receivePayload(nodes.b.allocate(REQUEST), Duration.ofSeconds(20));
        service.say(greeting, Frame.GO, 1, request.id(), REQUEST, incoming.tag());
        assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isEqualTo(REQUEST);
        service.say(greeting, Frame.ANSWER_LARGE, 1, request.id(), ANSWER, NUMBER);
        RawHeader go = service.next();
        assertThat(Wire.isPayload(go.time())).isTrue();
        assertThat(go).isEqualTo(new RawHeader(RawHeader.first(6), 1, KEY, request.id(), ANSWER, go.time(), NUMBER));
        service.sends(nodes.b.allocate(ANSWER), greeting, go.time());
        assertThat(call.get(20, TimeUnit.SECONDS)).hasSize(ANSWER);
        // once more, to a call that is over
        service.say(greeting, Frame.ANSWER_LARGE, 1, request.id(), ANSWER, NUMBER);
        assertThat(service.next()).isEqualTo(new RawHeader(RawHeader.first(14), 1, KEY, request.id(), 0, 0, NUMBER));
        service.say(greeting, Frame.GO, 1, request.id(), REQUEST, incoming.tag());
        assertThat(service.next()).isEqualTo(new RawHeader(RawHeader.first(17), 1, KEY, request.id(), 0, 0, 0));
    }
}
