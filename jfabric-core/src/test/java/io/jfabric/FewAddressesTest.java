// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A vector of rxd takes as many addresses as it can close with. */
@Timeout(60)
class FewAddressesTest {
    private static final int MOST = 1000;

    private static byte[] address(Pair pair, int number) {
        byte[] bytes = pair.b.endpoint.address().bytes();
        bytes[2] = (byte) (number >> 8);
        bytes[3] = (byte) number;
        bytes[7] = 77;
        return bytes;
    }

    @Test
    void closesWithTheMost() {
        assumeTrue(Providers.RXD.isOffered(), "no udp;ofi_rxd");
        try (Pair pair = Pair.open(Providers.RXD)) {
            // the pair has inserted one
            for (int i = 1; i < MOST; i++) {
                pair.a.addresses.insert(address(pair, i));
            }
            long again = pair.a.addresses.insert(address(pair, 5));
            refuses(pair);
            for (long number : new long[] {again, 0}) {
                pair.a.addresses.remove(number);
            }
            refuses(pair);
            assertThat(pair.a.addresses.insert(address(pair, 5))).as("it has been here").isNotNegative();
        }
    }

    @Test
    void whatIsOnlyShownTakesNoPlace() {
        assumeTrue(Providers.RXD.isOffered(), "no udp;ofi_rxd");
        try (Pair pair = Pair.open(Providers.RXD)) {
            for (int i = 1; i <= MOST; i++) {
                Address address = Address.of(pair.b.endpoint.address().format(), address(pair, i));
                assertThat(pair.a.addresses.toText(address)).contains(".77:" + i);
            }
            assertThat(pair.a.addresses.insert(address(pair, MOST + 1))).isNotNegative();
        }
    }

    private static void refuses(Pair pair) {
        byte[] more = address(pair, MOST + 1);
        assertThatThrownBy(() -> pair.a.addresses.insert(more)).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.ENOSPC)).hasMessageContaining("different addresses");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocateFrom(ValueLayout.JAVA_BYTE, more);
            assertThatThrownBy(() -> pair.a.addresses.insertAll(raw, 1, null)).isInstanceOf(FabricException.class);
        }
    }

    @Test
    void takesAllOfAListOrNone() {
        assumeTrue(Providers.RXD.isOffered(), "no udp;ofi_rxd");
        try (Pair pair = Pair.open(Providers.RXD)) {
            List<Address> all = new ArrayList<>();
            for (int i = 1; i <= MOST; i++) {
                all.add(Address.of(pair.b.endpoint.address().format(), address(pair, i)));
            }
            assertThatThrownBy(() -> pair.a.addresses.insert(all)).isInstanceOf(FabricException.class);
            assertThat(pair.a.addresses.insert(all.subList(1, MOST))).allMatch(AddressInsertion::isInserted);
        }
    }
}
