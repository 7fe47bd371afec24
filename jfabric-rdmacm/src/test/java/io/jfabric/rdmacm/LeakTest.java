// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** Many answers leave nothing behind; scripts/test-rdmacm asks a million times. */
class LeakTest {
    private static final String TIMES = System.getProperty("jfabric.rdmacm.times", "100000");
    /** An entry that is never freed would be 100 bytes and more: of 20,000, 2 MiB. The heap is fixed and touched. */
    private static final int ALLOWED_KIB = 1024;

    @Test
    void theProcessDoesNotGrow() {
        ChildJvm.Result result = ChildJvm.of(ManyTimes.class, TIMES)
                .flags("-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .environment("LD_PRELOAD", Compiled.library("device-double").toString()).run();
        assertThat(result.output()).contains("times: " + TIMES);
        long grown = Long.parseLong(result.output().replaceAll("(?s).*grown: (-?\\d+) KiB.*", "$1"));
        assertThat(grown).isLessThan(ALLOWED_KIB);
    }
}
