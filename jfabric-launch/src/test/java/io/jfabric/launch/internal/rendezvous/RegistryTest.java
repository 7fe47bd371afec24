// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RegistryTest {
    /** Such a process has to read, too, why the job cannot start. */
    @Test
    void endIsAlsoThatOfProcessesWithoutARankYet() throws Exception {
        Registry registry = new Registry(2, "unnumbered");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            Member member = registry.join(new Hello(2, -1, "host", 1, 20_000, 30_000), new Line(socket));
            Thread waiting = Thread.ofPlatform().daemon().start(() -> {
                try {
                    registry.awaitEnd(20_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            waiting.join(300);
            assertThat(waiting.isAlive()).as("waits").isTrue();
            registry.lose(member, "gone");
            waiting.join(10_000);
            assertThat(waiting.isAlive()).as("still waits").isFalse();
        } finally {
            registry.close();
        }
    }
}
