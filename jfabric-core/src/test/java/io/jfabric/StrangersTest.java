// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What anybody can do to a passive endpoint of sockets, or to who connects to it. */
@Timeout(120)
class StrangersTest {
    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SOCKETS_MSG.isOffered(), "sockets is not offered");
    }

    @Test
    @Tag("long")
    void aByteMakesItDeaf() {
        ChildJvm.Result result = ChildJvm.of(Stranger.class, "1").run();
        assertThat(result.output()).contains("requests 0", "still closing");
    }

    @Test
    void anAnswerThatNobodyAskedForCrashes() {
        ChildJvm.Result result = ChildJvm.of(Stranger.class, "1", "0", "0", "0", "0", "0", "0", "0")
                .flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash").run();
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(result.output()).doesNotContain("requests");
    }

    @Test
    void aServerThatSendsBackWhatItGetsCrashes() {
        ChildJvm.Result result = ChildJvm.of(Asker.class).flags("-XX:ErrorFile=/dev/null",
                "-XX:-CreateCoredumpOnCrash").run();
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(result.output()).contains("asked").doesNotContain("answered");
    }

    /** Connects to something that sends back what it gets. */
    static final class Asker {
        private static final Duration A_WHILE = Duration.ofSeconds(2);

        private Asker() {
        }

        public static void main(String[] args) throws IOException {
            try (Connected c = new Connected(Providers.SOCKETS_MSG);
                    ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                c.client().endpoint.connect(Address.of(new InetSocketAddress(socket.getInetAddress(),
                        socket.getLocalPort())));
                try (Socket accepted = socket.accept()) {
                    System.out.println("asked");
                    byte[] request = new byte[4096];
                    accepted.getOutputStream().write(request, 0, accepted.getInputStream().read(request));
                    c.clientEvents.await(A_WHILE);
                    System.out.println("answered, or not");
                    Runtime.getRuntime().halt(0);
                }
            }
        }
    }
}
