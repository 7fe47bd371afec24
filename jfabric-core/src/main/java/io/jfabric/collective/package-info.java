// SPDX-License-Identifier: Apache-2.0
/**
 * Operations that a group of endpoints does together: barriers, broadcasts, reductions (fi_collective(3)).
 *
 * <p>The members are an {@link io.jfabric.collective.AddressVectorSet}, which all of them make in the same way; joining
 * it gives each a {@link io.jfabric.collective.CollectiveGroup}. {@link io.jfabric.collective.Collectives} starts the
 * operations. Few providers have them: ask for {@link io.jfabric.info.Capability#COLLECTIVE} and see {@link
 * io.jfabric.collective.Collectives#query(Domain, CollectiveOperation) query}.
 * {@snippet :
 * EventQueue events = fabric.openEventQueue();
 * endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).bind(events).enable();
 * addresses.insert(bytes);                                   // every member's address, in the same order everywhere
 * AddressVectorSet all = AddressVectorSet.open(addresses, AddressVectorSetAttributes.range(0, 3, 1));
 * Collectives collectives = Collectives.of(endpoint);
 * CollectiveGroup group = collectives.join(all, 1);
 * while (!group.isJoined()) {
 *     queue.poll(handler, 8);
 *     events.poll();
 * }
 * MemorySegment sum = arena.allocate(buffer.byteSize());
 * while (!collectives.allReduce(group, buffer, sum, Datatype.INT64, AtomicOp.SUM, 2)) {
 *     queue.poll(handler, 8);                                // false: the provider is busy
 * }
 * }
 */
@NullMarked
package io.jfabric.collective;

import org.jspecify.annotations.NullMarked;
