// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AddressVector;
import io.jfabric.FabricException;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sets of addresses on tcp;ofi_rxm, the only provider here that has them. */
class AddressVectorSetTest {
    private Member member;

    @BeforeEach
    void open() {
        Providers.RXM.assumeOffered();
        member = new Member(Providers.RXM);
        List<byte[]> all = new ArrayList<>();
        byte[] own = member.endpoint.address().bytes();
        for (int i = 0; i < 8; i++) {
            // bytes 2 and 3 of a sockaddr_in are the port
            all.add(ByteBuffer.wrap(own.clone()).putShort(2, (short) (20_000 + i)).array());
        }
        member.meet(all);
    }

    @AfterEach
    void close() {
        member.close();
    }

    @Test
    void rangesAndStrides() {
        assertThat(member.set(0, 7, 1).members()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(member.set(1, 7, 3).members()).containsExactly(1L, 4L, 7L);
        assertThat(AddressVectorSet.open(member.addresses, AddressVectorSetAttributes.empty()).members()).isEmpty();
        // what comes after the last of a range is no address
        assertThat(member.set(1, 1, Long.MAX_VALUE).members()).containsExactly(1L);
    }

    /** Also where the last would be below 0; the provider agrees, or it would refuse the address as one it has. */
    @Test
    void emptyRanges() {
        for (long first = 0; first < 3; first++) {
            AddressVectorSet set = member.set(first, first - 1, 1);
            assertThat(set.members()).isEmpty();
            assertThat(set.insert(0).insert(1).members()).containsExactly(0L, 1L);
        }
        assertThat(member.set(7, 2, 1).members()).isEmpty();
        assertThat(member.set(0, -1, Long.MAX_VALUE).insert(0).members()).containsExactly(0L);
    }

    @Test
    void algebra() {
        AddressVectorSet set = member.set(0, 3, 1);
        set.union(member.set(2, 6, 2));
        assertThat(set.members()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 6L);
        set.difference(member.set(0, 1, 1));
        assertThat(set.members()).containsExactlyInAnyOrder(2L, 3L, 4L, 6L);
        set.intersect(member.set(3, 6, 3));
        assertThat(set.members()).containsExactlyInAnyOrder(3L, 6L);
        set.insert(5).remove(3);
        assertThat(set.members()).containsExactlyInAnyOrder(5L, 6L);
        assertThat(set.fabricAddress()).isNotZero();
        // the provider agrees: what is there cannot be inserted, what is not cannot be removed
        assertThatThrownBy(() -> set.insert(5)).isInstanceOf(FabricException.class)
                .hasMessageContaining("fi_av_set_insert");
        assertThatThrownBy(() -> set.remove(3)).isInstanceOf(FabricException.class).hasMessageContaining("3 is not in");
        assertThatThrownBy(() -> set.insert(5)).isInstanceOf(FabricException.class)
                .hasMessageContaining("5 is in the set already");
        set.insert(3);
    }

    /** The provider keeps what there was room for, and collectives count on what the set is known to have. */
    @Test
    void aUnionThatDoesNotFitChangesNothing() {
        AddressVectorSet set = AddressVectorSet.open(member.addresses, AddressVectorSetAttributes.range(0, 1, 1)
                .withCapacity(4));
        AddressVectorSet three = member.set(1, 4, 1);
        assertThatThrownBy(() -> set.union(three)).isInstanceOf(FabricException.class)
                .hasMessageContaining("ENOMEM");
        assertThat(set.members()).containsExactly(0L, 1L);
        for (long absent = 2; absent <= 4; absent++) {
            long address = absent;
            assertThatThrownBy(() -> set.remove(address)).isInstanceOf(FabricException.class);
        }
        assertThatThrownBy(() -> set.union(three)).hasMessageContaining("fi_av_set_union")
                .hasMessageContaining("3 addresses more").hasMessageContaining("capacity");
        assertThat(set.union(member.set(6, 7, 1)).members()).containsExactly(0L, 1L, 6L, 7L);
    }

    @Test
    void sortedSetsIntersectInTheProvider() {
        AddressVectorSet set = member.set(0, 7, 1);
        set.intersect(member.set(1, 7, 2));
        assertThat(set.members()).containsExactly(1L, 3L, 5L, 7L);
        assertThatThrownBy(() -> set.remove(2)).isInstanceOf(FabricException.class);
        set.remove(5).remove(7).remove(1).remove(3);
    }

    @Test
    void theTailIsRemovedByTheProvider() {
        AddressVectorSet set = member.set(0, 7, 1);
        set.difference(member.set(7, 7, 1)).difference(member.set(2, 3, 1));
        assertThat(set.members()).containsExactlyInAnyOrder(0L, 1L, 4L, 5L, 6L);
        for (long address : set.members()) {
            set.remove(address);
        }
    }

    @Test
    void addressesInsertedAfterTheFirstSet() {
        AddressVectorSet first = member.set(0, 7, 1);
        byte[] own = member.endpoint.address().bytes();
        long late = member.addresses.insert(own);
        // libfabric itself would read this one from behind the end of its copy of the vector
        AddressVectorSet set = member.set(6, late, 1);
        assertThat(set.members()).containsExactly(6L, 7L, late);
        first.close();
    }

    /** Collectives go on sending to what was removed, and crash. */
    @Test
    void whatSetsWereMadeOfIsNotRemoved() {
        member.set(0, 7, 1).close();
        assertThatThrownBy(() -> member.addresses.remove(3)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fi_av_remove");
    }

    /** Its addresses would be looked for in the endpoint's own vector: beyond its end, which crashes, or others. */
    @Test
    void aSetOfAnotherVectorIsRefused() {
        AddressVector other = member.domain.openAddressVector();
        for (int i = 0; i < 8; i++) {
            other.insert(member.addresses.lookup(i));
        }
        long own = other.insert(member.endpoint.address());
        AddressVectorSet set = AddressVectorSet.open(other, AddressVectorSetAttributes.range(0, own, 1));
        assertThatThrownBy(() -> Collectives.of(member.endpoint).join(set, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another address vector");
    }

    /** So they do to the places of what was removed before: without a peer, which crashes. */
    @Test
    void noSetsOfAVectorWithHoles() {
        byte[] removed = member.addresses.lookup(3).bytes();
        member.addresses.remove(3);
        assertThatThrownBy(() -> member.set(0, 7, 1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fi_av_set: 3 was removed");
        assertThatThrownBy(() -> member.set(0, 1, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(member.addresses.insert(removed)).isEqualTo(3);
        assertThat(member.set(0, 7, 1).members()).hasSize(8);
    }

    @Test
    void badArgumentsAreRefused() {
        assertThatThrownBy(() -> member.set(0, 8, 1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8 addresses");
        assertThatThrownBy(() -> member.set(0, 7, 0)).isInstanceOf(IllegalArgumentException.class);
        // libfabric 2 crashes
        assertThatThrownBy(() -> AddressVectorSet.open(member.addresses, AddressVectorSetAttributes.range(0, 7, 3)
                .withCapacity(2))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("capacity of 2");
        AddressVectorSet set = AddressVectorSet.open(member.addresses, AddressVectorSetAttributes.range(0, 1, 1)
                .withCapacity(2).withOperations(CollectiveOperation.BARRIER));
        assertThatThrownBy(() -> set.insert(99)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> set.insert(5)).isInstanceOf(FabricException.class).hasMessageContaining("ENOMEM")
                .hasMessageContaining("open it with a larger capacity");
        // this endpoint's own address is not in the set
        assertThatThrownBy(() -> Collectives.of(member.endpoint).join(set, 1)).isInstanceOf(FabricException.class)
                .hasMessageContaining("own address");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void otherProvidersSayThatTheyLackThem(Providers.Choice choice) {
        if (choice.provider().contains("tcp")) {
            return;
        }
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(() -> AddressVectorSet.open(pair.a.addresses, AddressVectorSetAttributes.range(0, 0, 1)))
                    .isInstanceOf(FabricException.class).hasMessageContaining("COLLECTIVE");
            assertThatThrownBy(() -> Collectives.of(pair.a.endpoint).join(null, 1))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("event queue");
            assertThat(Collectives.query(pair.domain, CollectiveOperation.BARRIER)).isEmpty();
        }
    }
}
