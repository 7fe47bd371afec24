// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.Unshared;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers of udp;ofi_rxd go on sending to an endpoint that is closed: each of these crashed another one at its port. */
@Timeout(60)
class RxdRestartTest {
    private static final Unshared FEW_PORTS = new Unshared("-rn",
            "ip link set lo up && echo '40000 40031' > /proc/sys/net/ipv4/ip_local_port_range");

    @BeforeAll
    static void offered() {
        assumeTrue(Providers.RXD.isOffered(), "udp;ofi_rxd is not offered");
    }

    private static void survives(ChildJvm.Builder child) {
        ChildJvm.Result result = child.run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED").doesNotContain("once more");
    }

    @Test
    void aUsedPortIsRefused() {
        survives(ChildJvm.of(RxdRestart.class, "asked"));
    }

    @Test
    @Tag("long")
    void theSystemsChoiceIsNoUsedPort() throws Exception {
        FEW_PORTS.assumeAllowed();
        survives(FEW_PORTS.child(RxdRestart.class, "chosen"));
    }
}
