// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log says names the queue that failed. */
class EventsFailTest {
    @Test
    void theLogSaysWhatFailed() {
        assumeTrue(Providers.TCP_MSG.isOffered());
        ChildJvm.Result result = ChildJvm.of(EventsFailChild.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        List<String> errors = result.output().lines().filter(line -> line.contains(" ERROR ")).toList();
        assertThat(errors).hasSize(1);
        assertThat(errors.getFirst()).contains("a node has failed to make progress, and tries again");
        assertThat(result.output()).contains("fi_eq_read: FI_EIO").doesNotContain("completion queue");
    }
}
