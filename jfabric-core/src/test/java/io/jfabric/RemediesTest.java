// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Advice must not say what is not so: not all memory is a NIC's, and not every limit is one. */
class RemediesTest {
    private static final String SHARED = "; if it concerns shared memory: /dev/shm needs free space";

    @Test
    void noMemory() {
        assertThat(Remedies.noMemory("8388608")).isEqualTo("; if this concerns registered memory: the locked-memory "
                + "limit (ulimit -l) is 8388608 bytes, and a NIC needs it unlimited" + SHARED);
        assertThat(Remedies.noMemory("unlimited")).isEqualTo("; if this concerns registered memory: the locked-memory "
                + "limit (ulimit -l) is unlimited, as a NIC needs it" + SHARED);
    }

    @Test
    void theExceptionHasTheLimitOfThisProcess() {
        assertThat(FabricException.of("fi_mr_reg", FabricError.ENOMEM.code(), "provider verbs"))
                .hasMessageMatching("(?s).*provider verbs; if this concerns registered memory: the locked-memory limit "
                        + "\\(ulimit -l\\) is (unlimited|[0-9]+ bytes), .*");
    }

    /** Once, whatever else there is to say. */
    @Test
    void noFile() {
        String once = "(?s)[^-]*\\(ulimit -n\\)[^-]*";
        assertThat(FabricException.of("fi_enable", FabricError.EMFILE.code(), "the endpoint is closed"))
                .hasMessageMatching(once);
        assertThat(FabricException.of("fi_fabric", FabricError.EMFILE.code(), "raise the limit (ulimit -n)"))
                .hasMessageMatching(once);
    }

    /** On a machine without IPv4 libfabric chooses 127.0.0.1 nevertheless. */
    @Test
    void anAddressThatNobodyGave() {
        assertThat(FabricException.of("fi_endpoint", FabricError.EADDRNOTAVAIL.code(), "source address 127.0.0.1:0"))
                .hasMessageContaining("libfabric has chosen it: give the hints one (Hints.sourceAddress)");
    }
}
