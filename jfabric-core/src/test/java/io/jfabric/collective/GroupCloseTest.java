// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AddressVector;
import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing groups: C follows their memory until what was started in them is over. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCloseTest {
    private List<Member> members;
    private Member a;
    private Member b;

    @BeforeEach
    void open() {
        Providers.RXM.assumeOffered();
        members = List.of(new Member(Providers.RXM), new Member(Providers.RXM));
        a = members.getFirst();
        b = members.getLast();
        Member.meetAll(members);
        Member.joinAll(members);
    }

    @AfterEach
    void close() {
        members.forEach(Member::close);
    }

    @Test
    void notBeforeItsOperationsAreOver() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(8, 8);
            MemorySegment sum = arena.allocate(8, 8);
            Member.until(members, "start", () -> Collectives.of(a.endpoint).allReduce(a.group, one, sum,
                    Datatype.INT64, AtomicOp.SUM, 1));
            Member.until(members, "start", () -> Collectives.of(a.endpoint).barrier(a.group, 2));
            assertThatThrownBy(a.group::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("2 operations");
            Member.until(members, "start", () -> Collectives.of(b.endpoint).allReduce(b.group, one, sum,
                    Datatype.INT64, AtomicOp.SUM, 1));
            members.forEach(m -> Member.until(members, "sum", () -> m.has(1)));
            assertThatThrownBy(a.group::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1 operations");
            Member.until(members, "start", () -> Collectives.of(b.endpoint).barrier(b.group, 2));
            members.forEach(m -> Member.until(members, "barrier", () -> m.has(2)));
            members.forEach(m -> m.group.close());
        }
    }

    @Test
    void notBeforeTheJoinsOutOfItAreOver() {
        List<CollectiveGroup> inner = members.stream().map(m -> Collectives.of(m.endpoint).join(m.set(0, 1, 1),
                m.group, 8)).toList();
        assertThatThrownBy(a.group::close).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("joins of smaller groups");
        Member.until(members, "join", () -> inner.stream().allMatch(CollectiveGroup::isJoined));
        members.forEach(m -> m.group.close());
        for (int i = 0; i < 2; i++) {
            Member m = members.get(i);
            CollectiveGroup group = inner.get(i);
            Member.until(members, "start", () -> Collectives.of(m.endpoint).barrier(group, 3));
        }
        members.forEach(m -> Member.until(members, "barrier", () -> m.has(3)));
        inner.forEach(CollectiveGroup::close);
    }

    @Test
    void whatWasUnderWayDoesNotOutliveTheEndpoint() {
        Member.until(members, "start", () -> Collectives.of(a.endpoint).barrier(a.group, 2));
        a.endpoint.close();
        a.group.close();
        assertThat(a.group.isOpen()).isFalse();
    }

    /** Nobody but the group knew of them, and its endpoint. */
    @Test
    void joinsThatWereGivenUpAreForgotten() {
        for (int i = 0; i < 20; i++) {
            try (AddressVector vector = a.domain.openAddressVector()) {
                Endpoint endpoint = endpoint(vector);
                vector.insert(b.endpoint.address());
                AddressVectorSet set = AddressVectorSet.open(vector, AddressVectorSetAttributes.range(0, 1, 1));
                CollectiveGroup group = Collectives.of(endpoint).join(set, 9);
                endpoint.close();
                group.close();
            }
        }
        assertThat(((EndpointImpl) a.endpoint).fabricState().joins().size()).isZero();
        assertThat(a.events.poll()).isEmpty();
    }

    /** Each numbers its joins where the set is: the second would wait for ever, and so would the peers of both. */
    @Test
    void aSecondEndpointDoesNotJoinByTheSameSet() {
        try (AddressVector vector = a.domain.openAddressVector()) {
            Endpoint first = endpoint(vector);
            Endpoint second = endpoint(vector);
            AddressVectorSet set = AddressVectorSet.open(vector, AddressVectorSetAttributes.range(0, 1, 1));
            CollectiveGroup group = Collectives.of(first).join(set, 9);
            try {
                assertThatThrownBy(() -> Collectives.of(second).join(set, 10))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("another endpoint has joined");
            } finally {
                first.close();
                second.close();
                group.close();
            }
        }
    }

    /** Both groups would have one number. */
    @Test
    void anEndpointJoinsOneAtATime() {
        List<CollectiveGroup> first = members.stream().map(m -> Collectives.of(m.endpoint).join(m.set(0, 1, 1),
                m.group, 8)).toList();
        for (Member m : members) {
            assertThatThrownBy(() -> Collectives.of(m.endpoint).join(m.set(0, 1, 1), 9))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("JoinComplete");
            assertThatThrownBy(() -> Collectives.of(m.endpoint).join(m.set(0, 1, 1), m.group, 9))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("JoinComplete");
        }
        Member.until(members, "join", () -> first.stream().allMatch(CollectiveGroup::isJoined));
        List<CollectiveGroup> second = members.stream().map(m -> Collectives.of(m.endpoint).join(m.set(0, 1, 1),
                m.group, 9)).toList();
        Member.until(members, "join", () -> second.stream().allMatch(CollectiveGroup::isJoined));
    }

    /** One more of the first member's domain, in a vector of its own. */
    private Endpoint endpoint(AddressVector vector) {
        Endpoint endpoint = a.domain.openEndpoint(a.info).bind(a.queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector)
                .bind(a.events).enable();
        vector.insert(endpoint.address());
        return endpoint;
    }

    /** Those that are closed count: their numbers are not given again. */
    @Test
    @Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anEndpointJoinsSoManyOnly() {
        for (int i = 1; i < 255; i++) {
            List<AddressVectorSet> sets = members.stream().map(m -> m.set(0, 1, 1)).toList();
            for (int j = 0; j < 2; j++) {
                members.get(j).group.close();
                members.get(j).group = Collectives.of(members.get(j).endpoint).join(sets.get(j), i);
            }
            Member.until(members, "join " + i, () -> members.stream().allMatch(m -> m.group.isJoined()));
        }
        AddressVectorSet more = a.set(0, 1, 1);
        assertThatThrownBy(() -> Collectives.of(a.endpoint).join(more, 0)).isInstanceOf(FabricException.class)
                .hasMessageContaining("FI_ENOSPC").hasMessageContaining("255 groups");
    }
}
