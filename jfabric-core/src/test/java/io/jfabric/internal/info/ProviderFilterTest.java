// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What libfabric makes of {@code FI_PROVIDER}: each line is what it does. */
class ProviderFilterTest {
    @ParameterizedTest
    @CsvSource(emptyValue = "", value = {
        ",                shm,         false",
        "'',              shm,         true",
        "tcp,             shm,         true",
        "'tcp,shm',       shm,         false",
        "'tcp, shm',      shm,         true",
        "SHM,             shm,         false",
        "^Shm,            shm,         true",
        "'^udp,shm',      shm,         true",
        "^udp,            shm,         false",
        "^,               shm,         false",
        "ofi_rxm,         tcp,         true",
        "tcp,             tcp;ofi_rxm, false",
        "tcp,             ofi_rxm;tcp, false",
        "tcp;ofi_rxm,     tcp,         false",
        "tcp;ofi_rxm,     tcp;ofi_rxm, false",
        "tcp;ofi_rxm,     ofi_rxm;tcp, false",
        "tcp;ofi_rxd,     tcp;ofi_rxm, true",
        "ofi_rxm,         tcp;ofi_rxm, true",
        "tcp,             ofi_rxm,     false",
        "^ofi_rxm,        ofi_rxm,     true",
        "^ofi_rxm,        tcp;ofi_rxm, true",
        "^tcp,            tcp;ofi_rxm, true",
        "^tcp;ofi_rxm,    tcp;ofi_rxm, true",
        "^tcp;ofi_rxm,    tcp,         false"})
    void isReadAsLibfabricReadsIt(String value, String provider, boolean leftOut) {
        assertThat(new ProviderFilter(value).leavesOut(List.of(provider.split(";")))).isEqualTo(leftOut);
    }
}
