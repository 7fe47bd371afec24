// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Endpoints of the shm provider use each other's memory without a look whether it is still there: each of these crashed
 * the JVM, or its peer's, or left something behind.
 */
@Timeout(90)
class ShmCloseTest {
    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"unread", "unreadOnBothSides", "longerName", "unanswered", "firstSend", "elsewhere",
        "elsewhereLater", "elsewhereUnknown", "removed", "sharedQueue", "directed", "fetching", "unreadOfAnother",
        "fetchingUnreported", "sent", "many", "cycles 100"})
    void survives(String arguments) {
        ChildJvm.Result result = SharedJvm.run(ShmClose.class, arguments.split(" "));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    @Test
    void keepsWhatIsReceivedInParts() {
        assumeFalse(Quirks.of("shm").has(Quirk.NO_PEEK), "this shm has no peeking");
        ChildJvm.Result result = ChildJvm.of(ShmClose.class, "claimed").environment("FI_SHM_DISABLE_CMA", "1").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
