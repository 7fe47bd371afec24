// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node reads the first messages of peers while another thread inserts their addresses. */
@Timeout(120)
class FirstMessagesTest {
    @Test
    void areReadWhileAddressesAreInserted() {
        assumeTrue(Providers.SHM.isOffered() && Quirks.of("shm").has(Quirk.INSERTIONS_MEET_REQUESTS),
                "no such locks");
        ChildJvm.Result result = ChildJvm.of(FirstMessages.class, "20").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("done");
    }
}
