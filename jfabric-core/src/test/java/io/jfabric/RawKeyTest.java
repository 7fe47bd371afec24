// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys longer than 64 bits: mrail, here with one rail on loopback, has them without any hardware. */
@Timeout(60)
class RawKeyTest {
    @Test
    void aRegionWithARawKeyIsReadAndWritten() {
        Providers.RXM.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(RawKeyChild.class, "tcp;ofi_rxm;ofi_mrail")
                .environment("FI_OFI_MRAIL_ADDR", "127.0.0.1").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("RAW KEYS WORK");
    }
}
