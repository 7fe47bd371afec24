// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/getting-started.md shows: DocsTest of the core compares the two. A node that sends to itself. */
@Timeout(90)
class GettingStartedTest extends WithoutLeaks {
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void sendReceiveAndCall(String provider) throws Exception {
        try (Two nodes = Two.open(provider);
             Service _ = Service.open(nodes.b(), 5, call -> call.answer(call.bytes()));
             Caller caller = Caller.open(nodes.toB(), 5)) {
            Node node = nodes.a();
            ByteBufAllocator allocator = POOL;
            ByteBuf header = text("header ");
            ByteBuf payload = text("and payload");
            Peer friend = node.peer(node.address());

            ByteBuf message = allocator.compositeDirectBuffer().addComponents(true, header, payload);
            CompletableFuture<Void> sent = ByteBufs.send(node, message, friend, 42);
            message.release();                                         // what is under way keeps a reference of its own
            sent.join();

            ByteBuf inbox = allocator.directBuffer(4096);
            int length = (int) ByteBufs.receive(node, inbox, 42).join().length();  // and the writer index moves

            ByteBuf answer = allocator.directBuffer(4096);
            ByteBufs.call(caller, inbox, answer).join();               // sends what is readable in inbox
            inbox.release();

            assertThat(length).isEqualTo(18);
            assertThat(answer.toString(StandardCharsets.UTF_8)).isEqualTo("header and payload");
            answer.release();
            gone(message, header, payload, inbox, answer);
        }
    }
}
