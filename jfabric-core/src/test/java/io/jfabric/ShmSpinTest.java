// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Version;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each of these kept the shm provider in a poll, a send or a receive for ever, or made it wait for ever. A process
 * each, which is killed if it does not end.
 */
@Timeout(60)
class ShmSpinTest {
    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
    }

    private static void survives(String... arguments) {
        ChildJvm.Result result = SharedJvm.run(ShmSpin.class, arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    /** Sizes: inside a message, beyond what is inside it, beyond what the tail has, beyond what it has at all. */
    @ParameterizedTest
    @ValueSource(strings = {"untagged 100 50", "untagged 5000 0", "untagged 8192 100", "untagged 70000 4096",
        "tagged 8192 100", "tagged 50000000 8", "plainQueue 8192 100"})
    void messagesThatAreTooLong(String arguments) {
        survives(arguments.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"requests", "unexpected", "elsewhere", "multi"})
    void inOtherWays(String what) {
        survives(what);
    }

    @Test
    void nothingIsDelivered() {
        assumeTrue(Quirks.of("shm").hasAny(Quirk.EMPTY_NEVER_DELIVERED, Quirk.EMPTY_NOT_AWAITED), "mended");
        survives("empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"peek", "fill"})
    void beforeLibfabric2(String what) {
        assumeTrue(Fabric.version().compareTo(new Version(2, 0)) < 0, "mended");
        survives(what);
    }
}
