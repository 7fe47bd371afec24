// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who runs out of memory while others wait for it keeps nobody out. */
@Timeout(60)
class NoMemoryTest {
    @Test
    void othersGoOn() {
        ChildJvm.Result result = ChildJvm.of(NoMemory.class).flags("-Xmx12m", "-XX:-UseTLAB").run();
        assertThat(result.output()).contains("close true, kept out: 0", "handover true", "third waits: true",
                "turn true, still the owner's: true");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
