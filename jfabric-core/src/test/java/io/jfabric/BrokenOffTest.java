// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jfabric.info.EndpointType;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that dies in the middle of a tagged message takes nobody with it, unless tcp of libfabric 2 keeps it. */
@Timeout(90)
class BrokenOffTest {
    static Stream<Providers.Choice> choices() {
        return Providers.offered(new Providers.Choice("net", EndpointType.RDM), Providers.SOCKETS);
    }

    private static ChildJvm.Builder receiver(Providers.Choice choice) {
        return ChildJvm.of(BrokenOff.class, choice.provider())
                .flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash");
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("choices")
    void theRestNeverComes(Providers.Choice choice) {
        ChildJvm.Result result = receiver(choice).run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).containsAnyOf("failed", "waits", "all of it was there");
    }

    /** If this fails, a new release may do it right: then the table of quirks has to say so. */
    @Test
    void unlessWhatHasComeIsKept() {
        assumeThat(Providers.offered(Providers.TCP_RDM)).as("tcp has such endpoints since 1.18").isNotEmpty();
        ChildJvm.Result result = receiver(Providers.TCP_RDM).run();
        assertThat(result.output()).as(result.toString()).contains("receiving").contains("SIGSEGV");
    }
}
