// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** What was resolved goes into hints: over tcp here, over verbs in scripts/test-verbs. */
class PeersTest {
    @Test
    void resolvedAndNamedAddressesMeet() {
        ChildJvm.Result result = ChildJvm.of(Peers.class, "tcp", "127.0.0.1")
                .environment("FI_PROVIDER", "tcp")
                .environment("LD_PRELOAD", Compiled.library("device-double").toString()).run();
        assertThat(result.output()).contains("resolved listens, named connects: 10 messages each way",
                "named listens, resolved connects: 10 messages each way");
        assertThat(result.exitCode()).isZero();
    }
}
