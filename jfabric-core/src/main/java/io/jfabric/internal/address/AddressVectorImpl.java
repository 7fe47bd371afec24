// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressInsertion;
import io.jfabric.AddressVector;
import io.jfabric.EventQueue;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_av_attr;
import io.jfabric.info.Address;
import io.jfabric.info.AvType;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Newer;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.Sizes;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.SharedTable;
import io.jfabric.internal.quirk.shm.PeerNames;
import io.jfabric.internal.quirk.shm.VectorLock;
import io.jfabric.option.AddressVectorAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;

/** {@link AddressVector}. */
public final class AddressVectorImpl extends FidObject implements AddressVector, InsertsLater {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final DomainState domain;
    private final AvType type;
    private final PackedAddresses packing;
    private final KnownAddresses known;
    private final int receiveContextBits;
    /** What the provider leaves out of an address that it looks up, but not of one that it removes. */
    private final long masked;
    private final PeerNames names;
    private final PendingInsertions pending = new PendingInsertions();
    /** Opened so, and the provider knows: it inserts, answers 0 and reports the rest. */
    private final boolean asynchronous;
    private final boolean needsEnabled;
    /** What is in it only the provider knows, and does not look; null of others. */
    private final SharedTable shared;
    /** Removed addresses are only not used any more. */
    private final boolean marksRemoved;
    /** Where the addresses are may move with an insertion. */
    private final boolean moves;

    private AddressVectorImpl(DomainState domain, long handle, MemorySegment attr, AddressVectorAttributes attributes) {
        super(domain.object(), handle);
        tracker().keeps(pending.memory());
        this.domain = domain;
        this.type = AvType.ofCode(fi_av_attr.type(attr));
        // others take the bits for a part of the index
        this.receiveContextBits = domain.info().domain().limits().maxEndpointRxContexts() > 1
                ? attributes.receiveContextBits() : 0;
        this.masked = ~(-1L >>> attributes.receiveContextBits());
        this.asynchronous = attributes.asynchronous();
        this.needsEnabled = domain.quirks().has(Quirk.INSERTS_INTO_ENABLED);
        this.marksRemoved = !domain.quirks().removesAddresses();
        this.moves = domain.quirks().has(Quirk.INSERTION_MOVES_TABLE);
        this.shared = SharedTable.of(domain.quirks(), attributes, attr);
        this.known = new KnownAddresses(attributes.name().isPresent(), domain.quirks().has(Quirk.PLACES_RUN_OUT));
        VectorLock.prepare(domain.quirks(), handle, domain.handle());
        this.packing = new PackedAddresses(domain.info());
        this.names = PeerNames.of(domain.quirks(), this::forget, known::taken);
    }

    public static AddressVectorImpl open(DomainState domain, AddressVectorAttributes attributes) {
        Sizes.addresses("fi_av_open", "count", attributes.count());
        Sizes.addresses("fi_av_open", "endpointsPerNode", attributes.endpointsPerNode());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = VectorStruct.of(attributes, domain.info().domain().avType(), arena);
            return domain.open("fi_av_open", (d, result) -> DomainOps.avOpen(d, attr.address(), result, 0),
                    av -> new AddressVectorImpl(domain, av, attr, attributes));
        }
    }

    @Override
    public AvType type() {
        return type;
    }

    @Override
    public long insert(byte[] address) {
        return insert(address, 0);
    }

    @Override
    public long insertBehindFirewall(Address address) {
        packing.checkFormat(address);
        handle();
        Known.require("fi_av_insert", "FI_FIREWALL_ADDR", new Version(2, 2));
        return insert(address.bytes(), Newer.FIREWALL_ADDR);
    }

    private synchronized long insert(byte[] given, long flags) {
        byte[] address = Objects.requireNonNull(given, "fi_av_insert: the address is null").clone();
        checkAtOnce("fi_av_insert");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocateFrom(LONG, Address.NOT_AVAILABLE);
            int inserted = insertOne(packing.packToInsert(arena, address), address, result.address(), flags, 0);
            check("fi_av_insert", inserted, names.explain(inserted, address));
            if (inserted != 1) {
                throw FabricException.of("fi_av_insert", Errno.EINVAL, "the provider does not accept the address "
                        + Address.ofCode(domain.info().addressFormatCode(), address) + known.whyRefused());
            }
            return result.get(LONG, 0);
        }
    }

    @Override
    public long insert(Address address) {
        packing.checkFormat(address);
        return insert(address.bytes());
    }

    @Override
    public List<AddressInsertion> insert(List<Address> addresses) {
        List<byte[]> all = Objects.requireNonNull(addresses, "fi_av_insert: the addresses are null").stream()
                .peek(packing::checkFormat).map(Address::bytes).toList();
        checkAtOnce("fi_av_insert");
        all.forEach(this::checkName);
        return packing.insertEach(all, (memory, count, result, errors) -> insertOrRefuse(memory,
                names.read(memory), result, errors == 0 ? 0 : Libfabric.FI_SYNC_ERR(), errors));
    }

    /** Of several, before the first is inserted. */
    private void checkName(byte[] address) {
        packing.check(address);
        names.check(address);
    }

    /** One of several: what cannot be reached is an answer, as the values of the others must not be lost. */
    private int insertOrRefuse(long packed, byte[] address, long result, long flags, long context) {
        try {
            return insertOne(packed, address, result, flags, context);
        } catch (PeerNames.Unreachable e) {
            return (int) -FabricError.EHOSTDOWN.code();
        }
    }

    private void checkAtOnce(String operation) {
        handle();
        if (asynchronous && !packing.isText()) {
            throw new IllegalStateException(operation + ": the vector was opened with withAsynchronous(true): use "
                    + "insertAsync, or open another vector for what is to be inserted at once");
        }
    }

    /** One address, packed; its bytes are needed where names are remembered, else null. What C's function returns. */
    private synchronized int insertOne(long packed, byte[] address, long result, long flags, long context) {
        checkEnabled("fi_av_insert");
        int inserted = inserting(1, av -> insertInside(av, packed, address, result, flags, context));
        if (inserted == 1) {
            names.met(address);
        }
        return inserted;
    }

    /** Nobody closes an endpoint between the look whether one of that name was closed and the notes of the address. */
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

    @Override
    public long insertAll(MemorySegment addresses, long count, MemorySegment results) {
        return insertAll(addresses, count, results, 0);
    }

    @Override
    public long insertMore(MemorySegment addresses, long count, MemorySegment results) {
        return insertAll(addresses, count, results, Libfabric.FI_MORE());
    }

    private synchronized long insertAll(MemorySegment addresses, long count, MemorySegment results, long flags) {
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
                    insertOne(from, null, result, flags, 0));
            if (to != 0) {
                results.asSlice(0, values.byteSize()).copyFrom(values);
            }
            check("fi_av_insert", inserted, null);
            return inserted;
        }
    }

    /** Whoever sends meanwhile may look into a table that the provider moves. */
    private int inserting(long count, LongFunction<Integer> given) {
        LongFunction<Integer> insertion = shared == null ? given : shared.ifRoom(count, given);
        if (!moves || !known.mayGrow(count * names.mostPlaces() + pending.underWay())) {
            return call(insertion);
        }
        int[] result = new int[1];
        withoutUsers(() -> result[0] = call(insertion));
        return result[0];
    }

    private long insertTexts(MemorySegment addresses, long count, MemorySegment results) {
        long good = 0;
        List<byte[]> texts = PackedAddresses.texts(addresses, count);
        texts.forEach(this::checkName);
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

    @Override
    public synchronized void insertAsync(MemorySegment addresses, long count, MemorySegment results, long context) {
        PackedAddresses.checkMemory(addresses, count);
        PackedAddresses.results(results, count);
        handle();
        if (used(EventQueue.class) == null) {
            throw new IllegalStateException("fi_av_insert: open the vector with withAsynchronous(true) and bind an "
                    + "event queue, which reports asynchronous insertions");
        }
        if (packing.isText()) {
            throw new UnsupportedOperationException("fi_av_insert: the provider inserts at once; use insert");
        }
        domain.quirks().requireNoHook(Quirk.HOOKS_LOSE_SOURCES, "fi_av_insert");
        MemorySegment copy = packing.copyRaw(Arena.ofAuto(), addresses, count);
        checkEnabled("fi_av_insert");
        pending.start(context, copy, count, results, (from, to) ->
                check("fi_av_insert", inserting(count, av -> AvOps.insert(av, from, count, to, 0, context)), null));
    }

    @Override
    public void inserted(long context) {
        pending.finish(context, known::add);
    }

    @Override
    public long insertService(String node, String service) {
        return insertSymmetric(node, 1, service, 1)[0];
    }

    @Override
    public synchronized long[] insertSymmetric(String node, long nodeCount, String service, long serviceCount) {
        SymmetricNames names = SymmetricNames.of(domain.info(), node, nodeCount, service, serviceCount);
        int total = names.count();
        checkAtOnce(names.operation());
        checkEnabled("fi_av_insertsym");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment results = arena.allocate(LONG, total).fill((byte) Address.NOT_AVAILABLE);
            int inserted = inserting(total, av -> names.insert(arena, av, results.address()));
            names.checkAll(inserted, results);
            known.add(results, total);
            return results.toArray(LONG);
        }
    }

    @Override
    public synchronized void remove(long... given) {
        long[] addresses = Objects.requireNonNull(given, "fi_av_remove: the addresses are null").clone();
        Set<Long> all = new HashSet<>();
        for (long address : addresses) {
            checkKnown("fi_av_remove", address);
            if (!all.add(address)) {
                throw new IllegalArgumentException("fi_av_remove: " + Long.toUnsignedString(address)
                        + " is to be removed twice");
            }
        }
        checkNoSets();
        checkEnabled("fi_av_remove");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(LONG);
            for (long address : addresses) {
                one.set(LONG, 0, address);
                removeOne(address, one.address());
            }
        }
    }

    /** The sets' own copies keep what was removed, and joins and collectives send to all of them. */
    private void checkNoSets() {
        if (known.isFrozen() && domain.quirks().has(Quirk.SOFTWARE_COLLECTIVES)) {
            throw new IllegalStateException("fi_av_remove: sets of the address vector were opened, and their "
                    + "collectives send to all of its addresses; close it, or keep a second one for peers that go");
        }
    }

    private void removeOne(long address, long pointer) {
        // with the last of several removals only: rxd drops a peer with the first, whoever else inserted it
        if (!known.remove(address)) {
            return;
        }
        eachEndpoint(user -> user.addressRemoved(address));
        try {
            if (!marksRemoved) {
                // who is inside may be sending to it
                withoutUsers(() -> {
                    removeFromProvider(pointer);
                    eachEndpoint(user -> user.addressRemoved(address));
                });
            }
        } catch (FabricException | IllegalStateException stays) {
            known.add(address);
            throw stays;
        }
        names.removed(address);
    }

    private void removeFromProvider(long pointer) {
        int result = call(av -> AvOps.remove(av, pointer, 1, 0));
        boolean complains = result == -Errno.EINVAL && domain.quirks().has(Quirk.REMOVES_AND_COMPLAINS);
        check("fi_av_remove", complains ? 0 : result, null);
    }

    /** Its endpoint is closed: nothing may be sent to it, whatever the provider still has of it. */
    private void forget(long address) {
        known.forget(address);
        eachEndpoint(user -> user.addressRemoved(address));
    }

    private void eachEndpoint(Consumer<VectorUser> action) {
        eachUser(user -> {
            if (user instanceof VectorUser endpoint) {
                action.accept(endpoint);
            }
        });
    }

    /** Before an insertion or removal: the provider goes through all endpoints that the vector is bound to. */
    private void checkEnabled(String operation) {
        if (needsEnabled) {
            eachEndpoint(endpoint -> endpoint.requireEnabled(operation, provider()));
            LoneEndpoint.checkBound(domain.quirks(), operation, isUsed());
        }
    }

    private void checkKnown(String operation, long address) {
        handle();
        if (!known.has(address) || shared != null && !isThere(address)) {
            // behind a closer that took the address out with its endpoint, and then closed the vector
            call(av -> av);
            throw new IllegalArgumentException(operation + ": " + Long.toUnsignedString(address)
                    + " is not in the address vector");
        }
    }

    /** Whether the provider knows the address, or that of the endpoint whose receive context it is. */
    public boolean has(long address) {
        return knows(address) && (shared == null || isThere(index(address)));
    }

    /** As {@link #has}, without asking the provider. */
    public boolean knows(long address) {
        return known.has(index(address));
    }

    /** Tells which are in until somebody removes them here; null where the limit does, or only the provider. */
    public LongPredicate scattered() {
        LongPredicate all = shared != null ? null : known.scattered();
        return all == null || receiveContextBits == 0 ? all : address -> all.test(index(address));
    }

    private long index(long address) {
        return receiveContextBits == 0 ? address : address & -1L >>> receiveContextBits;
    }

    private boolean isThere(long index) {
        if (index < 0 || (index & masked) != 0) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocateFrom(LONG, Names.LONGEST);
            return call(av -> AvOps.lookup(av, index, arena.allocate(Names.LONGEST).address(), length.address())) == 0;
        }
    }

    /** All below this are in the vector; unsigned. */
    public long limit() {
        return shared != null ? 0 : known.limit();
    }

    @Override
    public synchronized Address lookup(long address) {
        checkKnown("fi_av_lookup", address);
        byte[] bytes = Names.read("fi_av_lookup", (buffer, length) ->
                call(av -> AvOps.lookup(av, address, buffer, length)));
        return Address.ofCode(domain.info().addressFormatCode(), names.given(bytes));
    }

    @Override
    public String toText(Address address) {
        packing.checkFormat(address);
        return Names.text(this, arena -> packing.pack(arena, address.bytes()));
    }

    public PeerNames peerNames() {
        return names;
    }

    /** One more than the largest address. */
    public long known() {
        return known.end();
    }

    /** How many addresses the provider's sets may start with; fixed by the first set. */
    public long knownForSets() {
        return known.freeze();
    }

    public String provider() {
        return domain.info().provider();
    }

    @Override
    @Deprecated
    public AddressVectorImpl bind(EventQueue queue) {
        bindOnce("fi_av_bind", (FidObject) queue);
        return this;
    }

    @Override
    public void setUserId(long address, long userId) {
        AuthKeys.setUserId(this, address, userId, () -> checkKnown("fi_av_set_user_id", address));
    }

    @Override
    public long insertAuthKey(byte[] key) {
        return AuthKeys.insert(this, key);
    }

    @Override
    public byte[] lookupAuthKey(long address) {
        return AuthKeys.lookup(this, address);
    }

    @Override
    public String kind() {
        return "address vector";
    }

    @Override
    public int closeRank() {
        return CloseRank.ADDRESS_VECTOR;
    }
}
