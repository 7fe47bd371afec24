// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flags of operations that have none of their own are changed while another thread sends. */
@Timeout(90)
@Tag("long")
class DefaultFlagsRaceTest {
    static Stream<Providers.Choice> choices() {
        return Stream.of(Providers.SOCKETS).filter(Providers.Choice::isOffered);
    }

    /** Each operation asks for a completion and gets it, or does neither. */
    @ParameterizedTest
    @MethodSource("choices")
    void completions(Providers.Choice choice) {
        run(choice, "completions");
    }

    /** As above, of requests: their flags are looked at before the thread is inside. */
    @ParameterizedTest
    @MethodSource("choices")
    void completionsOfRequests(Providers.Choice choice) {
        run(choice, "completionsOfRequests");
    }

    /** What is too long to be injected is refused, or arrives. */
    @ParameterizedTest
    @MethodSource("choices")
    void lengths(Providers.Choice choice) {
        run(choice, "lengths");
    }

    private static void run(Providers.Choice choice, String scenario) {
        ChildJvm.Result result = SharedJvm.run(DefaultFlagsRace.class, choice.provider(), scenario);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
