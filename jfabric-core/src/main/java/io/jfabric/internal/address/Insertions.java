// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressInsertion;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.quirk.ProviderLinks;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.quirk.shm.PeerNames;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Puts addresses into a vector. The caller has the vector's lock, except for a list: each address of a list takes it,
 * so that others may insert between two of them.
 */
final class Insertions {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final FidObject vector;
    private final FabricInfoImpl info;
    private final Quirks quirks;
    private final VectorContents contents;
    private final KnownAddresses known;
    private final VectorUsers users;
    private final PeerNames names;
    private final PackedAddresses packing;
    private final PendingInsertions pending = new PendingInsertions();
    /** Whether it was opened so, and the provider knows: it inserts, answers 0 and reports the rest. */
    private final boolean asynchronous;
    /** Whether an insertion may move the table of addresses. */
    private final boolean moves;
    /** Whether an insertion and a poll may wait for each other. */
    private final boolean deadlocks;

    Insertions(FidObject vector, DomainState domain, VectorContents contents, VectorUsers users, PeerNames names,
            PackedAddresses packing, boolean asynchronous) {
        this.vector = vector;
        this.info = domain.info();
        this.quirks = domain.quirks();
        this.contents = contents;
        this.known = contents.known();
        this.users = users;
        this.names = names;
        this.packing = packing;
        this.asynchronous = asynchronous;
        this.moves = quirks.has(Quirk.INSERTION_MOVES_TABLE);
        this.deadlocks = quirks.has(Quirk.INSERTIONS_MEET_REQUESTS);
    }

    /** What must stay reachable even if the vector was forgotten. */
    Object memory() {
        return pending.memory();
    }

    long insert(byte[] given, long flags) {
        byte[] address = Objects.requireNonNull(given, "fi_av_insert: the address is null").clone();
        checkAtOnce("fi_av_insert");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocateFrom(LONG, Address.NOT_AVAILABLE);
            int inserted = insertOne(packing.packToInsert(arena, address), address, result.address(), flags, 0);
            Results.check("fi_av_insert", inserted, names.explain(inserted, address));
            if (inserted != 1) {
                throw FabricException.of("fi_av_insert", Errno.EINVAL, "the provider does not accept the address "
                        + Address.ofCode(info.addressFormatCode(), address) + known.whyRefused());
            }
            return result.get(LONG, 0);
        } catch (PeerNames.Unreachable e) {
            // programs do not know that class
            throw new IllegalStateException(e.getMessage());
        } catch (ProviderLinks.NoWay e) {
            throw new IllegalArgumentException(e.getMessage());
        }
    }

    List<AddressInsertion> insert(List<Address> addresses) {
        List<Address> given = Arguments.all("fi_av_insert", "an address",
                Arguments.given(addresses, "fi_av_insert", "the list of addresses").toArray(Address[]::new));
        forEach(given, packing::checkFormat);
        checkAtOnce("fi_av_insert");
        List<byte[]> all = given.stream().map(Address::bytes).toList();
        forEach(all, this::checkName);
        return packing.insertEach(all, (memory, count, result, errors) -> insertOrRefuse(memory,
                names.read(memory), result, errors == 0 ? 0 : Libfabric.FI_SYNC_ERR(), errors));
    }

    private static <T> void forEach(List<T> all, Consumer<T> check) {
        for (int i = 0; i < all.size(); i++) {
            T one = all.get(i);
            PackedAddresses.each(i, all.size(), () -> check.accept(one));
        }
    }

    /** Checks one of several, before the first is inserted. */
    private void checkName(byte[] address) {
        packing.check(address);
        names.check(address);
    }

    /** Inserts one of several: an unreachable one is an answer, so that the values of the others are not lost. */
    private int insertOrRefuse(long packed, byte[] address, long result, long flags, long context) {
        try {
            return insertOne(packed, address, result, flags, context);
        } catch (PeerNames.Unreachable | ProviderLinks.NoWay e) {
            return (int) -FabricError.EHOSTDOWN.code();
        }
    }

    private void checkAtOnce(String operation) {
        vector.handle();
        if (asynchronous && !packing.isText()) {
            throw new IllegalStateException(operation + ": the vector was opened with withAsynchronous(true): use "
                    + "insertAsync, or open another vector for what is to be inserted at once");
        }
    }

    /** Inserts one packed address; its bytes are needed where names are remembered, else null. Returns what C does. */
    private int insertOne(long packed, byte[] address, long result, long flags, long context) {
        synchronized (vector) {
            users.checkEnabled("fi_av_insert");
            users.checkReachable("fi_av_insert", packed);
            int inserted = inserting(1, av -> insertInside(av, packed, address, result, flags, context));
            if (inserted == 1) {
                names.met(address);
            }
            return inserted;
        }
    }

    /** Nobody closes an endpoint between the check whether one of that name was closed and the note of the address. */
    private int insertInside(long av, long packed, byte[] address, long result, long flags, long context) {
        int inserted = names.insert(address, packed, result, packing::pack, (at, to, more) ->
                AvOps.insert(av, at, 1, to, flags | more, context));
        if (inserted < 0) {
            Memory.putLong(result, Address.NOT_AVAILABLE);
        } else if (Memory.getLong(result) != Address.NOT_AVAILABLE && inserted == 1) {
            known.add(Memory.getLong(result));
            names.inserted(address, Memory.getLong(result));
        }
        return inserted;
    }

    /** Keeps others out where need be: a poll may wait for the insertion, and a send look into a table that moves. */
    private int inserting(long count, LongFunction<Integer> given) {
        LongFunction<Integer> insertion = contents.ifRoom(count, given);
        int[] result = new int[1];
        if (deadlocks) {
            vector.exclusively(() -> result[0] = vector.call(insertion));
        } else if (moves && known.mayGrow(count * names.mostPlaces() + pending.underWay())) {
            users.whileNobodyIsInside(() -> result[0] = vector.call(insertion));
        } else {
            return vector.call(insertion);
        }
        return result[0];
    }

    long insertAll(MemorySegment addresses, long count, MemorySegment results, long flags) {
        PackedAddresses.checkMemory(addresses, count);
        long to = results == null ? 0 : PackedAddresses.results(results, count);
        checkAtOnce("fi_av_insert");
        if (count == 0) {
            return 0;
        }
        if (packing.isText()) {
            return insertTexts(addresses, count, results);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = packing.copyRaw(arena, addresses, count);
            MemorySegment values = arena.allocate(LONG, count).fill((byte) Address.NOT_AVAILABLE);
            int inserted = PackedAddresses.insertEach(copy, count, values, (from, result) ->
                    insertOrRefuse(from, null, result, flags, 0));
            if (to != 0) {
                results.asSlice(0, values.byteSize()).copyFrom(values);
            }
            Results.check("fi_av_insert", inserted, null);
            return inserted;
        }
    }

    private long insertTexts(MemorySegment addresses, long count, MemorySegment results) {
        long good = 0;
        List<byte[]> texts = PackedAddresses.texts(addresses, count);
        forEach(texts, this::checkName);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(LONG);
            for (int i = 0; i < count; i++) {
                value.set(LONG, 0, Address.NOT_AVAILABLE);
                long text = packing.packToInsert(arena, texts.get(i));
                boolean taken = insertOrRefuse(text, texts.get(i), value.address(), 0, 0) == 1;
                good += taken ? 1 : 0;
                if (results != null) {
                    results.set(ValueLayout.JAVA_LONG_UNALIGNED, i * LONG.byteSize(),
                            taken ? value.get(LONG, 0) : Address.NOT_AVAILABLE);
                }
            }
        }
        return good;
    }

    void insertAsync(MemorySegment addresses, long count, MemorySegment results, long context) {
        PackedAddresses.checkMemory(addresses, count);
        PackedAddresses.results(results, count);
        vector.handle();
        InsertionEvents events = vector.used(InsertionEvents.class);
        if (events == null) {
            throw new IllegalStateException("fi_av_insert: open the vector with withAsynchronous(true) and bind an "
                    + "event queue, which reports asynchronous insertions");
        }
        if (packing.isText()) {
            throw new UnsupportedOperationException("fi_av_insert: the provider inserts at once; use insert");
        }
        quirks.requireNoHook(Quirk.HOOKS_LOSE_SOURCES, "fi_av_insert");
        MemorySegment copy = packing.copyRaw(Arena.ofAuto(), addresses, count);
        users.checkEnabled("fi_av_insert");
        long token = events.begin(vector, context);
        try {
            pending.start(token, copy, count, results, (from, to) -> Results.check("fi_av_insert",
                    inserting(count, av -> AvOps.insert(av, from, count, to, 0, token)), null));
        } catch (RuntimeException e) {
            events.forget(token);
            throw e;
        }
    }

    /** The event of the insertion with that token has been read; without the lock. */
    void inserted(long token) {
        pending.finish(token, known::add);
    }

    long[] insertSymmetric(String node, long nodeCount, String service, long serviceCount) {
        SymmetricNames symmetric = SymmetricNames.of(info, node, nodeCount, service, serviceCount);
        int total = symmetric.count();
        checkAtOnce(symmetric.operation());
        users.checkEnabled("fi_av_insertsym");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment results = arena.allocate(LONG, total).fill((byte) Address.NOT_AVAILABLE);
            int inserted = inserting(total, av -> symmetric.insert(arena, av, results.address()));
            symmetric.checkAll(inserted, results);
            known.add(results, total);
            return results.toArray(LONG);
        }
    }
}
