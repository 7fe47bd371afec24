// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operation for whose context there is no memory fails; those after it do not. */
@Timeout(60)
@Tag("long")
class MemoryRunsOutTest {
    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void everythingIsAsItWas(String othersChunks) {
        ChildJvm.Result result = ChildJvm.of(MemoryRunsOut.class, othersChunks).flags("-Xmx32m").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("had no memory: true true").contains("under way: 0");
    }
}
