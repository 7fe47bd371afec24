// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jfabric.info.EndpointType;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that dies in the middle of a tagged message takes nobody with it, unless tcp of libfabric 2 keeps it. */
@Timeout(90)
class BrokenOffTest {
    private static final String RECEIVE = "receive";
    private static final String CLOSE = "close";

    static Stream<Arguments> choices() {
        return Providers.offered(new Providers.Choice("net", EndpointType.RDM), Providers.SOCKETS)
                .flatMap(choice -> Stream.of(RECEIVE, CLOSE).map(end -> Arguments.of(choice, end)));
    }

    private static ChildJvm.Builder receiver(Providers.Choice choice, String end) {
        return ChildJvm.of(BrokenOff.class, choice.provider(), end)
                .flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash");
    }

    private static void assertWhole(ChildJvm.Result result, String end) {
        assertThat(result.exitCode()).as(result.toString()).isZero();
        if (end.equals(RECEIVE)) {
            assertThat(result.output()).containsAnyOf("failed", "waits", "all of it was there");
        } else {
            assertThat(result.output()).contains("closing");
        }
    }

    private static Providers.Choice tcp() {
        assumeThat(Providers.offered(Providers.TCP_RDM)).as("tcp has such endpoints since 1.18").isNotEmpty();
        return Providers.TCP_RDM;
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("choices")
    void theRestNeverComes(Providers.Choice choice, String end) {
        assertWhole(receiver(choice, end).run(), end);
    }

    /** If this fails, a new release may do it right: then the table of quirks has to say so. */
    @ParameterizedTest
    @ValueSource(strings = {RECEIVE, CLOSE})
    void unlessWhatHasComeIsKept(String end) {
        ChildJvm.Result result = receiver(tcp(), end).run();
        assertThat(result.output()).as(result.toString()).contains(end.equals(CLOSE) ? "closing" : "receiving")
                .contains("SIGSEGV");
    }

    /** As the documentation says. */
    @ParameterizedTest
    @ValueSource(strings = {RECEIVE, CLOSE})
    void norWhereNothingIsKept(String end) {
        assertWhole(receiver(tcp(), end).environment("FI_TCP_MAX_SAVED", "0").run(), end);
    }
}
