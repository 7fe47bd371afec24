// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;

/** A program in a JVM of its own that has a single carrier for all virtual threads. */
public final class OneCarrier {
    private OneCarrier() {
    }

    /** Runs it to its end, which must be a good one. */
    public static void run(Class<?> main, String prints) {
        ChildJvm.Result result = ChildJvm.of(main)
                .flags("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains(prints);
    }
}
