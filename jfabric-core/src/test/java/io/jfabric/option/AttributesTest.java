// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.collective.AddressVectorSetAttributes;
import io.jfabric.collective.CollectiveOperation;
import io.jfabric.info.AvType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How objects are opened: each method changes one thing, which can be changed back. */
class AttributesTest {
    private static final AddressVectorAttributes VECTOR = AddressVectorAttributes.DEFAULT;
    private static final CompletionQueueAttributes QUEUE = CompletionQueueAttributes.of(CompletionFormat.MSG);
    private static final EventQueueAttributes EVENTS = EventQueueAttributes.DEFAULT;
    private static final AddressVectorSetAttributes SET = AddressVectorSetAttributes.range(0, 3, 1);

    @Test
    void whatIsChangedIsToldApart() {
        List<AddressVectorAttributes> vectors = List.of(VECTOR, VECTOR.withType(AvType.TABLE), VECTOR.withCount(1),
                VECTOR.withEndpointsPerNode(1), VECTOR.withReceiveContextBits(1), VECTOR.shared("a"),
                VECTOR.sharedReadOnly("a"), VECTOR.withSymmetric(true), VECTOR.withAsynchronous(true));
        List<CompletionQueueAttributes> queues = List.of(QUEUE, QUEUE.withFormat(CompletionFormat.DATA),
                QUEUE.withSize(1), QUEUE.withWaitObject(WaitObject.FD), QUEUE.withWaitThreshold(true),
                QUEUE.withSignalingVector(0));
        List<EventQueueAttributes> events = List.of(EVENTS, EVENTS.withSize(1), EVENTS.withWaitObject(WaitObject.FD),
                EVENTS.withWritable(false));
        List<CounterAttributes> counters = List.of(CounterAttributes.DEFAULT,
                CounterAttributes.DEFAULT.withEvents(CounterAttributes.Events.BYTES),
                CounterAttributes.DEFAULT.withWaitObject(WaitObject.FD));
        List<AddressVectorSetAttributes> sets = List.of(SET, AddressVectorSetAttributes.range(1, 3, 1),
                AddressVectorSetAttributes.range(0, 2, 1), AddressVectorSetAttributes.range(0, 3, 2),
                SET.withCapacity(8), SET.withUniverse(true), SET.withOperations(CollectiveOperation.BARRIER),
                SET.withCommunicationKey(new byte[2]));
        MemorySegment memory = Arena.ofAuto().allocate(8);
        MemoryRegionAttributes region = MemoryRegionAttributes.of(memory);
        List<MemoryRegionAttributes> regions = List.of(region, MemoryRegionAttributes.of(memory.asSlice(4)),
                MemoryRegionAttributes.ofDmabuf(1, 0, 8, 0), region.withAccess(MemoryAccess.READ),
                region.withRequestedKey(0), region.withAuthKey(new byte[2]), region.withDevice(HmemInterface.CUDA, 0),
                region.withDevice(HmemInterface.SYSTEM, 1), region.withPageSize(1), region.withSubRegions(1),
                region.withFlags(MemoryRegionFlag.RMA_PMEM));
        for (List<?> kind : List.of(vectors, queues, events, counters, sets, regions)) {
            assertThat(kind).doesNotHaveDuplicates().extracting(Object::toString).doesNotHaveDuplicates();
        }
    }

    @Test
    void whatIsChangedBackIsTheSame() {
        same(VECTOR.withType(AvType.MAP).withCount(4).withSymmetric(true).withAsynchronous(true).withType(VECTOR.type())
                .withCount(0).withSymmetric(false).withAsynchronous(false), VECTOR);
        same(QUEUE.withWaitThreshold(true).withSignalingVector(3).withFormat(CompletionFormat.TAGGED)
                .withFormat(CompletionFormat.MSG).withSignalingVector(-1).withWaitThreshold(false), QUEUE);
        same(EVENTS.withWritable(false).withWritable(true), EVENTS);
        same(SET.withUniverse(true).withOperations(CollectiveOperation.REDUCE).withCommunicationKey(new byte[1])
                .withUniverse(false).withOperations().withCommunicationKey(new byte[0]), SET);
        MemoryRegionAttributes buf = MemoryRegionAttributes.ofDmabuf(1, 0, 8, 0);
        same(buf.withAccess(MemoryAccess.READ).withAuthKey(new byte[1]).withPageSize(1).withFlags()
                .withAuthKey(new byte[0]).withPageSize(0).withAccess(), buf);
    }

    private static void same(Object changed, Object original) {
        assertThat(changed).isEqualTo(original).hasSameHashCodeAs(original).hasToString(original.toString());
    }

    @Test
    void aSharedVectorHasAName() {
        assertThat(VECTOR.name()).isEmpty();
        assertThat(VECTOR.shared("a").name()).hasValue("a");
        assertThatThrownBy(() -> VECTOR.shared(null)).isInstanceOf(NullPointerException.class)
                .hasMessage("AddressVectorAttributes.shared: the name is null");
    }

    @Test
    void nobodyChangesTheKeyFromOutside() {
        byte[] key = {1, 2};
        AddressVectorSetAttributes attributes = SET.withCommunicationKey(key);
        key[0] = 9;
        attributes.communicationKey()[1] = 9;
        assertThat(attributes.communicationKey()).containsExactly(1, 2);
    }
}
