// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes before its receive leaves nothing with the provider: not long calls, nor pieces of collectives. */
@Timeout(120)
@Tag("long")
class NothingIsLeftTest {
    /** Half of what rxm of libfabric 2 keeps of 2000 messages. */
    private static final long KIB = 16_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byLongCalls(Providers.Choice choice) {
        staysSmall(LongCalls.class, choice);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byLateBroadcasts(Providers.Choice choice) {
        staysSmall(LateBroadcasts.class, choice);
    }

    private static void staysSmall(Class<?> child, Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(child, choice.provider())
                .flags("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        String grew = result.output().lines().filter(line -> line.startsWith("grew ")).findFirst().orElse("");
        assertThat(grew).as(result.output()).isNotEmpty();
        assertThat(Long.parseLong(grew.substring(5))).as(result.output()).isLessThan(KIB);
    }
}
