// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.EndpointType;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages whose sender is gone before they are received: what happens to them, and where that is a crash. */
@Timeout(90)
@Tag("long")
class EarlyLongTest {
    static Stream<Providers.Choice> others() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM,
                new Providers.Choice("net", EndpointType.RDM));
    }

    private static ChildJvm.Result receive(Providers.Choice choice, int length) {
        return ChildJvm.of(EarlyLong.class, choice.provider(), Integer.toString(length))
                .flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash").run();
    }

    @Test
    void aShortOneIsReceived() {
        Providers.RXM.assumeOffered();
        ChildJvm.Result result = receive(Providers.RXM, 16_000);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("received");
    }

    @ParameterizedTest
    @MethodSource("others")
    void elsewhereALongOneIsReceivedOrLost(Providers.Choice choice) {
        ChildJvm.Result result = receive(choice, 100_000);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).containsAnyOf("received", "lost");
    }

    /** If this fails, a new release may do it right: then the table of quirks has to say so. */
    @Test
    void onRxmALongOneCrashes() {
        Providers.RXM.assumeOffered();
        ChildJvm.Result result = receive(Providers.RXM, 20_000);
        assertThat(result.output()).as(result.toString()).contains("receiving").contains("SIGSEGV")
                .doesNotContain("received").doesNotContain("lost");
    }
}
