// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host that does not answer at all: here a listener with no room for who connects. */
@Timeout(60)
class NoAnswerTest {
    private static final int MILLIS = 200;

    @Test
    void aSendDoesNotWaitForIt() throws Exception {
        Providers.SOCKETS.assumeOffered();
        MemorySegment memory = Arena.ofAuto().allocate(8);
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Pair pair = Pair.open(Providers.SOCKETS)) {
            InetSocketAddress where = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
            while (connects(where, waiting)) {
                // there is still room
            }
            long peer = pair.a.addresses.insert(Address.of(where));
            long begin = System.nanoTime();
            assertThat(pair.a.endpoint.messages().send(memory, peer, 1)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
            pair.connect();
            // now it answers, the next time that the system asks
            for (Socket one : waiting) {
                one.close();
                full.accept().close();
            }
            try (Socket there = full.accept()) {
                there.getInputStream().readNBytes((int) memory.byteSize());
            }
            pair.awaitError(pair.a, 1);
        }
    }

    private static boolean connects(InetSocketAddress where, List<Socket> waiting) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(where, MILLIS);
            return waiting.add(socket);
        } catch (SocketTimeoutException full) {
            socket.close();
            return false;
        }
    }
}
