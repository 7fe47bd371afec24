// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What anybody can do to a passive endpoint of sockets. */
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
}
