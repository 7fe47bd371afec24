// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Insertions of names that nobody has yet, each in a process of its own: see {@link ShmAbsentTest}. */
final class ShmAbsent {
    private static final String NAME = "fi_shm://jfabric-later-" + ProcessHandle.current().pid();
    private static final boolean REFUSED = Quirks.of("shm").has(Quirk.ABSENT_PEERS_SHARE);

    private ShmAbsent() {
    }

    public static void main(String[] args) {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            switch (args[0]) {
                case "ownPlaces" -> ownPlaces(pair);
                case "speaksFirst" -> speaksFirst(pair);
                case "anotherInserted" -> anotherInserted(pair);
                case "inLists" -> inLists(pair);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
        System.out.println("SURVIVED");
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static MemorySegment memory() {
        return Arena.ofAuto().allocate(8);
    }

    /** An endpoint with a name of its own, its queue and vector. */
    private record Later(Endpoint endpoint, CompletionQueue queue, AddressVector addresses) {
        static Later enable(Pair pair) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            AddressVector addresses = pair.domain.openAddressVector();
            return new Later(pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).setAddress(Address.of(NAME)).enable(), queue, addresses);
        }

        void poll() {
            queue.poll(completion -> { }, 8);
        }
    }

    /** What the insertion gives; {@link Address#NOT_AVAILABLE} where the release of libfabric cannot do it. */
    private static long insertAbsent(AddressVector addresses, String name) {
        try {
            long inserted = addresses.insert(Address.of(name));
            check(!REFUSED, name + " was inserted");
            return inserted;
        } catch (FabricException e) {
            check(REFUSED && e.error() == FabricError.ENOENT, e);
            return Address.NOT_AVAILABLE;
        }
    }

    private static void ownPlaces(Pair pair) {
        try (AddressVector addresses = pair.domain.openAddressVector()) {
            long absent = insertAbsent(addresses, NAME);
            long there = addresses.insert(pair.a.endpoint.address());
            check(absent != there, "both are " + there);
        }
    }

    private static void speaksFirst(Pair pair) {
        insertAbsent(pair.a.addresses, NAME);
        Later later = Later.enable(pair);
        long peer = later.addresses.insert(pair.a.endpoint.address());
        MemorySegment in = memory();
        pair.post(() -> pair.a.endpoint.messages().receive(in, Address.ANY, 1));
        pair.post(() -> {
            later.poll();
            return later.endpoint.messages().send(memory(), peer, 2);
        });
        pair.await(pair.a, 1);
        // it is there now
        pair.a.addresses.insert(Address.of(NAME));
    }

    private static void anotherInserted(Pair pair) {
        long early = insertAbsent(pair.a.addresses, NAME);
        Later later = Later.enable(pair);
        long peer = REFUSED ? pair.a.addresses.insert(Address.of(NAME)) : early;
        for (int i = 0; i < 10; i++) {
            MemorySegment in = memory();
            later.endpoint.messages().receive(in, Address.ANY, 1);
            pair.post(() -> {
                later.poll();
                return pair.a.endpoint.messages().send(memory(), peer, 2);
            });
            pair.await(pair.a, 2);
            insertAbsent(pair.a.addresses, NAME + i);
        }
    }

    private static void inLists(Pair pair) {
        List<AddressInsertion> inserted = pair.a.addresses.insert(List.of(Address.of(NAME),
                pair.b.endpoint.address()));
        check(inserted.get(0).isInserted() != REFUSED, inserted);
        check(inserted.get(1).isInserted() && inserted.get(1).fabricAddress() == pair.a.peer, inserted);
    }
}
