// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pieces of collective operations that come before their receives leave nothing with the provider. */
@Timeout(120)
class GroupMemoryUseTest {
    /** Half of what rxm of libfabric 2 keeps of 2000 messages. */
    private static final long KIB = 16_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void messagesThatComeEarlyLeaveNothingBehind(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(GroupMemoryUse.class, choice.provider())
                .flags("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        String grew = result.output().lines().filter(line -> line.startsWith("grew ")).findFirst().orElse("");
        assertThat(grew).as(result.output()).isNotEmpty();
        assertThat(Long.parseLong(grew.substring(5))).as(result.output()).isLessThan(KIB);
    }
}
