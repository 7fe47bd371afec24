// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Before libfabric 2.5, one message above 4 KiB that is not answered keeps those to all others from being done. */
@Timeout(120)
@Tag("long")
class DeadAnswersTest {
    @BeforeAll
    static void queues() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(Quirks.of("shm").has(Quirk.ANSWERS_OF_THE_DEAD), "another way of answering");
    }

    /** Read by the receiver from the sender's memory: what is copied through its own is not answered. */
    @ParameterizedTest
    @ValueSource(strings = {"killed 1", "killed 2000", "restarted", "again", "posted", "atomics", "buffer"})
    void aDeadPeerHoldsUpNobody(String how) {
        ChildJvm.Result result = ChildJvm.of(DeadAnswers.class, how.split(" "))
                .environment("FI_SHM_DISABLE_CMA", "0").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("lost: ").contains("ECONNRESET").contains("SURVIVED");
    }

    /** What only groups can be spared. */
    @Test
    void aPeerThatDoesNotTakeItsMessagesHoldsUpTheOthers() {
        ChildJvm.Result result = ChildJvm.of(DeadAnswers.class, "stopped").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("held up: [1-9]\\d*, RUNNING").contains("SURVIVED");
    }
}
