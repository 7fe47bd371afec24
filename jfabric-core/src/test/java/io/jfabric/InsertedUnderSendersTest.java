// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Version;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Addresses may be inserted while others send: providers would look into a table that has moved. */
@Timeout(90)
@Tag("long")
class InsertedUnderSendersTest {
    static Stream<Providers.Choice> growing() {
        return Providers.connectionless().filter(choice -> choice != Providers.SHM);
    }

    @ParameterizedTest
    @MethodSource("growing")
    void survives(Providers.Choice choice) {
        survives(choice, 0);
    }

    /** What the provider has inserted is not known before the event is read. */
    @Test
    void survivesWhatNobodyWasToldOfYet() {
        assumeTrue(Fabric.isAvailable() && !Fabric.version().atLeast(new Version(2, 0)), "libfabric 2 inserts at once");
        survives(Providers.UDP, 1000);
    }

    private static void survives(Providers.Choice choice, int unread) {
        assumeTrue(choice.isOffered(), "not offered");
        ChildJvm.Result result = ChildJvm.of(InsertedUnderSenders.class, choice.toString(), Integer.toString(unread))
                .run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
