// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loggers that throw keep nothing from happening. */
@Timeout(60)
class FailingLogTest {
    @Test
    void whatFollowsALineHappens() {
        assumeTrue(Providers.SHM.isOffered());
        ChildJvm.Result result = ChildJvm.of(FailingLog.class).flags("-Dslf4j.provider=" + FailingLog.class.getName())
                .run();
        assertThat(result.output()).contains("behind a failed handler: 1", "the clock goes on: true",
                "closed, with lines that failed: true");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
