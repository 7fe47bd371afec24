// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is not answered, as the provider takes no address more, does not know why: the log of this side says it. */
@Timeout(60)
class StrangersTest {
    @ParameterizedTest
    @CsvSource({"call,FI_ETIMEDOUT", "watch,FI_EHOSTDOWN"})
    void theLogSaysWhoIsNotAnswered(String what, String failure) {
        Providers.offered(Providers.SHM).findFirst().orElseThrow();
        String output = SharedJvm.run(StrangersChild.class, what).output();
        assertThat(output).containsOnlyOnce("cannot be answered").contains("FULL", "fi_av_insert", failure);
    }
}
