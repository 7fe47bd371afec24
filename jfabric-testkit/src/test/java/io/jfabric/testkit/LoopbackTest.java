// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopbackTest {
    /** Where a listener of the kit is. */
    public static final class Listens {
        private Listens() {
        }

        /** Prints it. */
        public static void main(String[] args) {
            try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
                System.out.println("listens at " + host(c) + ";");
            }
        }
    }

    private static String host(Connected c) {
        return c.listener.address().toInetSocketAddress().getAddress().getHostAddress();
    }

    @Test
    void isWhereTheKitListens() {
        for (Providers.Choice choice : Providers.offered(Providers.TCP_MSG, Providers.SOCKETS_MSG).toList()) {
            try (Connected c = new Connected(choice)) {
                assertThat(host(c)).isEqualTo(Loopback.own());
            }
        }
    }

    /** Which the JDK would not bind a socket to. */
    @Test
    void neverEndsIn255() {
        assertThat(Loopback.of(1)).isEqualTo("127.64.0.1");
        assertThat(Loopback.of(254)).isEqualTo("127.64.0.254");
        assertThat(Loopback.of(255)).isEqualTo("127.64.1.0");
        assertThat(Loopback.of(0x3fffff)).isEqualTo("127.128.64.63");
    }

    /** What connects to a port at which it listened before does not get there. */
    @Test
    void anotherProcessListensElsewhere() {
        Providers.SOCKETS_MSG.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(Listens.class).run();
        assertThat(result.output()).containsPattern("listens at 127\\.\\d+\\.\\d+\\.\\d+;")
                .doesNotContain("at 127.0.0.1;", "at " + Loopback.own() + ";");
    }
}
