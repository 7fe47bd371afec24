// SPDX-License-Identifier: Apache-2.0
package io.jfabric.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that could be faster by one flag of the JVM is told so once. */
@Tag("long")
class AdviceTest {
    private static final String ADVICE = "the JVM runs without -XX:+UseSystemMemoryBarrier";

    /** Opens two domains. */
    public static final class Opener {
        public static void main(String[] args) {
            for (int i = 0; i < 2; i++) {
                Pair.open(Providers.SHM).close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isGivenWhereTheFlagIsMissing(boolean set) {
        ChildJvm.Result result = ChildJvm.of(Opener.class)
                .flags(set ? "-XX:+UseSystemMemoryBarrier" : "-XX:-UseSystemMemoryBarrier").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(line -> line.contains(ADVICE))).as(result.output())
                .hasSize(set ? 0 : 1);
    }
}
