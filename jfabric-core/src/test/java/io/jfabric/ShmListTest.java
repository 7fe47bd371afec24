// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One name in a list that shm must not get: what is in by then is not lost. */
class ShmListTest {
    @Test
    void nothingIsInsertedBesideWhatCannotBeAName() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            AddressVector vector = pair.domain.openAddressVector();
            Address good = pair.a.endpoint.address();
            assertThatThrownBy(() -> vector.insert(List.of(good, Address.of("fi_shm://a/b"))))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("a/b");
            assertThatThrownBy(() -> vector.lookup(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whoWasClosedIsSaidToBeSo() {
        Address closed;
        try (Pair other = Pair.open(Providers.SHM)) {
            closed = other.a.endpoint.address();
        }
        try (Pair pair = Pair.open(Providers.SHM); Arena arena = Arena.ofConfined()) {
            AddressVector vector = pair.domain.openAddressVector();
            Address good = pair.a.endpoint.address();
            assertThatThrownBy(() -> vector.insert(closed)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            List<AddressInsertion> result = vector.insert(List.of(good, closed, pair.b.endpoint.address()));
            assertThat(result).hasSize(3);
            assertStandsFor(vector, result.get(0), good);
            assertThat(result.get(1).isInserted()).isFalse();
            assertThat(result.get(1).error()).contains(FabricError.EHOSTDOWN);
            assertStandsFor(vector, result.get(2), pair.b.endpoint.address());

            MemorySegment texts = arena.allocate(1024);
            long length = 0;
            for (Address each : List.of(closed, good)) {
                MemorySegment.copy(each.bytes(), 0, texts, ValueLayout.JAVA_BYTE, length, each.bytes().length);
                length += each.bytes().length;
            }
            MemorySegment values = arena.allocate(ValueLayout.JAVA_LONG, 2);
            assertThat(vector.insertAll(texts, 2, values)).isEqualTo(1);
            assertThat(values.getAtIndex(ValueLayout.JAVA_LONG, 0)).isEqualTo(Address.NOT_AVAILABLE);
            assertThat(values.getAtIndex(ValueLayout.JAVA_LONG, 1)).isEqualTo(result.get(0).fabricAddress());
        }
    }

    /** libfabric 2 gives the name without what says that it is shm's. */
    private static void assertStandsFor(AddressVector vector, AddressInsertion insertion, Address name) {
        assertThat(name.toText()).endsWith(vector.lookup(insertion.fabricAddress()).toText());
    }
}
