// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jfabric.info.Version;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that ends before it has received long messages does no harm to others. */
@Timeout(90)
class DeadReceiverTest {
    private static final String VARIABLE = "FI_TCP_MAX_SAVED_SIZE";

    static Stream<Providers.Choice> choices() {
        // rxm says that such messages are in use when it closes: see EarlyLongTest for them
        return Providers.offered(Providers.TCP_RDM, Providers.SOCKETS);
    }

    private static ChildJvm.Result run(Providers.Choice choice, String saved) {
        ChildJvm.Builder builder = ChildJvm.of(DeadReceiver.class, choice.provider())
                .flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash", "-Djfabric.testkit.deadlineSeconds=10");
        return (saved == null ? builder : builder.environment(VARIABLE, saved)).run();
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("choices")
    void othersAreWhole(Providers.Choice choice) {
        ChildJvm.Result result = run(choice, null);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("closed");
    }

    /** If this fails, a new release may do it right: then the table of quirks has to say so. */
    @Test
    void unlessMessagesWaitForTheirReceives() {
        assumeThat(Fabric.version().atLeast(new Version(1, 20))).as("before, nothing waits for its receive").isTrue();
        assumeThat(Providers.offered(Providers.TCP_RDM)).isNotEmpty();
        ChildJvm.Result result = run(Providers.TCP_RDM, "131072");
        assertThat(result.output()).as(result.toString()).contains("20 of 20 have ended").doesNotContain("are whole");
    }
}
