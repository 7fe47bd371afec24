// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One endpoint that can take part in collectives, with everything it needs. */
final class Member implements AutoCloseable {
    static final long SECONDS = 15;

    final FabricInfo info;
    final Fabric fabric;
    final Domain domain;
    final AddressVector addresses;
    final CompletionQueue queue;
    final EventQueue events;
    final Endpoint endpoint;
    final List<Long> done = new ArrayList<>();
    final List<FabricEvent> seen = new ArrayList<>();
    CollectiveGroup group;

    Member(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(h -> h.capabilities(Capability.COLLECTIVE, Capability.MSG,
                Capability.TAGGED))) {
            info = infos.first().duplicate();
        }
        fabric = Fabric.open(info);
        domain = fabric.openDomain(info);
        addresses = domain.openAddressVector();
        queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
        events = fabric.openEventQueue();
        endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses)
                .bind(events).enable();
    }

    /** The addresses of all members, in the same order everywhere. */
    void meet(List<byte[]> all) {
        all.forEach(addresses::insert);
    }

    /** Each knows all. */
    static void meetAll(List<Member> members) {
        List<byte[]> all = members.stream().map(m -> m.endpoint.address().bytes()).toList();
        members.forEach(m -> m.meet(all));
    }

    /** One group of all, who have met. */
    static void joinAll(List<Member> members) {
        members.forEach(m -> m.group = Collectives.of(m.endpoint).join(m.set(0, members.size() - 1, 1), 7));
        until(members, "join", () -> members.stream().allMatch(m -> m.group.isJoined()));
    }

    AddressVectorSet set(long first, long last, long stride) {
        return AddressVectorSet.open(addresses, AddressVectorSetAttributes.range(first, last, stride));
    }

    void progress() {
        queue.poll(c -> done.add(c.context()), 8);
        events.poll().ifPresent(seen::add);
    }

    boolean has(long context) {
        return done.remove(context);
    }

    static void until(List<Member> members, String what, BooleanSupplier condition) {
        long end = System.nanoTime() + SECONDS * 1_000_000_000;
        while (!condition.getAsBoolean()) {
            members.forEach(Member::progress);
            if (System.nanoTime() > end) {
                throw new AssertionError(what + ": not after " + SECONDS + " s");
            }
        }
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
    }
}
