// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that dies in the middle of a message into a buffer for several: on sockets. */
@Timeout(60)
class BrokenMultiReceiveTest {
    private static final int LONG = 5000;
    private static final int HEADER = 24;

    /** {@code struct sock_msg_hdr} of a message: version 2, SOCK_OP_SEND, context 0; flags; its length. */
    private static byte[] header() {
        return ByteBuffer.allocate(HEADER).put((byte) 2).position(Long.BYTES).putLong(0).putLong(HEADER + LONG).array();
    }

    private static void breakOff(Pair pair) throws Exception {
        try (Socket dies = new Socket()) {
            dies.connect(pair.a.endpoint.address().toInetSocketAddress());
            OutputStream out = dies.getOutputStream();
            out.write(header());
            out.write(new byte[100]);
            out.flush();
            // until a receive has been looked for
            Thread.sleep(200);
        }
    }

    /** What the table says of one without a receive. */
    @Test
    void theErrorNamesNobody() throws Exception {
        Providers.SOCKETS.assumeOffered();
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            pair.connect();
            breakOff(pair);
            assertThat(pair.awaitError(pair.a, 0).error().error()).isEqualTo(FabricError.EIO);
        }
    }

    @Test
    void theBufferIsGivenBack() throws Exception {
        Providers.SOCKETS.assumeOffered();
        MemorySegment memory = Arena.ofAuto().allocate(1 << 16);
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            pair.connect();
            pair.a.endpoint.setOption(EndpointOption.MIN_MULTI_RECV, (long) LONG);
            assertThat(pair.a.endpoint.messages().receiveMulti(memory, Address.ANY, 1)).isTrue();
            pair.post(() -> pair.b.endpoint.messages().send(memory.asSlice(0, 8), pair.b.peer, 2));
            assertThat(pair.await(pair.a, 1).is(CompletionFlag.MULTI_RECV)).isFalse();
            breakOff(pair);
            Done broken = pair.awaitError(pair.a, 1);
            assertThat(broken.error().error()).isEqualTo(FabricError.EIO);
            assertThat(broken.is(CompletionFlag.MULTI_RECV)).isTrue();
            assertThat(pair.a.endpoint.cancel(1)).isFalse();
            pair.post(() -> pair.a.endpoint.messages().receive(memory, Address.ANY, 3));
            pair.post(() -> pair.b.endpoint.messages().send(memory.asSlice(0, 8), pair.b.peer, 4));
            pair.await(pair.a, 3);
        }
    }
}
