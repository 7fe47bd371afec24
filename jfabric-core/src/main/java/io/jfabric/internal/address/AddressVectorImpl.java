// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressInsertion;
import io.jfabric.AddressVector;
import io.jfabric.EventQueue;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_av_attr;
import io.jfabric.info.Address;
import io.jfabric.info.AvType;
import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.internal.ffi.AvOps;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.DomainOps;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.DomainState;
import io.jfabric.option.AddressVectorAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/** {@link AddressVector}. */
public final class AddressVectorImpl extends FidObject implements AddressVector {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final DomainState domain;
    private final AvType type;
    private final PackedAddresses packing;
    private final KnownAddresses known = new KnownAddresses();
    private final int receiveContextBits;
    /** Null with other providers. */
    private final ShmPeers shm;

    private AddressVectorImpl(DomainState domain, long handle, AvType type, AddressVectorAttributes attributes) {
        super(domain.object(), handle);
        this.domain = domain;
        this.type = type;
        this.receiveContextBits = attributes.receiveContextBits();
        if (attributes.name() != null) {
            known.untrack();
        }
        this.packing = new PackedAddresses(domain.info());
        this.shm = ShmPeers.is(domain.info()) ? ShmPeers.of(this) : null;
    }

    public static AddressVectorImpl open(DomainState domain, AddressVectorAttributes attributes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_av_attr.layout());
            fi_av_attr.type(attr, (int) attributes.type().code());
            fi_av_attr.rx_ctx_bits(attr, attributes.receiveContextBits());
            fi_av_attr.count(attr, attributes.count());
            fi_av_attr.ep_per_node(attr, attributes.endpointsPerNode());
            if (attributes.name() != null) {
                fi_av_attr.name(attr, arena.allocateFrom(attributes.name()));
            }
            fi_av_attr.flags(attr, (attributes.readOnly() ? Libfabric.FI_READ() : 0)
                    | (attributes.symmetric() ? Libfabric.FI_SYMMETRIC() : 0)
                    | (attributes.asynchronous() ? Libfabric.FI_EVENT() : 0));
            return domain.open("fi_av_open", (d, result) -> DomainOps.avOpen(d, attr.address(), result, 0),
                    av -> new AddressVectorImpl(domain, av, AvType.ofCode(fi_av_attr.type(attr)), attributes));
        }
    }

    @Override
    public AvType type() {
        return type;
    }

    @Override
    public synchronized long insert(byte[] address) {
        Objects.requireNonNull(address, "fi_av_insert: the address is null");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(LONG);
            long packed = packing.pack(arena, address);
            MemorySegment bytes = MemorySegment.ofArray(address);
            checkShm(bytes, 1);
            int inserted = call(av -> AvOps.insert(av, packed, 1, result.address(), 0, 0));
            check("fi_av_insert", inserted, null);
            if (inserted != 1) {
                throw FabricException.of("fi_av_insert", Errno.EINVAL, "the provider does not accept the address "
                        + Address.ofCode(domain.info().addressFormatCode(), address));
            }
            added(bytes, result, 1);
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
        handle();
        addresses.forEach(packing::checkFormat);
        return packing.insertEach(addresses.stream().map(Address::bytes).toList(), this::insertArray);
    }

    private synchronized int insertArray(long packed, long count, long results, long errors) {
        MemorySegment address = shm == null ? null : ShmPeers.name(packed);
        checkShm(address, count);
        int inserted = errors == 0
                ? call(av -> AvOps.insert(av, packed, count, results, 0, 0))
                : call(av -> AvOps.insert(av, packed, count, results, Libfabric.FI_SYNC_ERR(), errors));
        added(address, Memory.segment(results, count * LONG.byteSize()), inserted < 0 ? 0 : count);
        return inserted;
    }

    @Override
    public synchronized long insert(MemorySegment addresses, long count, MemorySegment results, boolean more) {
        long from = Buffers.address("fi_av_insert", addresses);
        Buffers.range("fi_av_insert", addresses, 0, packing.sizeOf(count));
        if (results == null && shm != null) {
            try (Arena arena = Arena.ofConfined()) {
                return insert(addresses, count, arena.allocate(LONG, count), more);
            }
        }
        long to = 0;
        if (results != null) {
            to = Buffers.writable("fi_av_insert", results);
            Buffers.range("fi_av_insert", results, 0, Math.multiplyExact(count, LONG.byteSize()));
        }
        checkShm(addresses, count);
        long room = to;
        int inserted = call(av -> AvOps.insert(av, from, count, room, more ? Libfabric.FI_MORE() : 0, 0));
        check("fi_av_insert", inserted, null);
        if (results == null) {
            known.addNext(inserted);
        } else {
            added(addresses, results, count);
        }
        return inserted;
    }

    @Override
    public synchronized void insertAsync(MemorySegment addresses, long count, MemorySegment results, long context) {
        long from = Buffers.address("fi_av_insert", addresses);
        Buffers.range("fi_av_insert", addresses, 0, packing.sizeOf(count));
        long to = Buffers.writable("fi_av_insert", results);
        Buffers.range("fi_av_insert", results, 0, Math.multiplyExact(count, LONG.byteSize()));
        checkShm(addresses, count);
        check("fi_av_insert", call(av -> AvOps.insert(av, from, count, to, 0, context)), null);
        known.untrack();
    }

    @Override
    public long insertService(String node, String service) {
        return insertSymmetric(node, 1, service, 1)[0];
    }

    @Override
    public long[] insertSymmetric(String node, long nodeCount, String service, long serviceCount) {
        Objects.requireNonNull(node, "fi_av_insertsym: node is null");
        Objects.requireNonNull(service, "fi_av_insertsym: service is null");
        if (nodeCount < 1 || serviceCount < 1) {
            throw new IllegalArgumentException("fi_av_insertsym: nodeCount " + nodeCount + " and serviceCount "
                    + serviceCount + " must be at least 1");
        }
        int total = Math.toIntExact(Math.multiplyExact(nodeCount, serviceCount));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment results = arena.allocate(LONG, total);
            long n = arena.allocateFrom(node).address();
            long s = arena.allocateFrom(service).address();
            boolean one = total == 1;
            int inserted = one
                    ? call(av -> AvOps.insertsvc(av, n, s, results.address(), 0, 0))
                    : call(av -> AvOps.insertsym(av, n, nodeCount, s, serviceCount, results.address(), 0, 0));
            String operation = one ? "fi_av_insertsvc" : "fi_av_insertsym";
            check(operation, inserted, "node " + node + ", service " + service);
            if (inserted < total) {
                throw FabricException.of(operation, Errno.EINVAL, "only " + inserted + " of " + total
                        + " addresses of node " + node + ", service " + service + " could be inserted");
            }
            known.add(results, total);
            return results.toArray(LONG);
        }
    }

    @Override
    public synchronized void remove(long... addresses) {
        for (long address : addresses) {
            checkKnown("fi_av_remove", address);
        }
        if (shm != null) {
            shm.checkEnabled("fi_av_remove");
        }
        try (Arena arena = Arena.ofConfined()) {
            check("fi_av_remove", call(av -> AvOps.remove(av, arena.allocateFrom(LONG, addresses).address(),
                    addresses.length, 0)), null);
        }
        removed(addresses);
    }

    /** They are not there any more, or must be treated so. */
    public void removed(long... addresses) {
        known.remove(addresses);
        for (long address : addresses) {
            if (shm != null) {
                shm.removed(address);
            }
        }
        eachUser(user -> {
            if (user instanceof VectorUser endpoint) {
                endpoint.addressRemoved();
            }
        });
    }

    private void checkShm(MemorySegment addresses, long count) {
        if (shm != null) {
            shm.check(addresses, count);
        }
    }

    private void added(MemorySegment addresses, MemorySegment results, long count) {
        known.add(results, count);
        if (shm != null) {
            shm.inserted(addresses, results, count);
        }
    }

    private void checkKnown(String operation, long address) {
        handle();
        if (!known.has(address)) {
            throw new IllegalArgumentException(operation + ": " + address + " is not in the address vector");
        }
    }

    /** Whether the provider knows the address, or that of the endpoint whose receive context it is. */
    public boolean has(long address) {
        return known.has(receiveContextBits == 0 ? address : address & -1L >>> receiveContextBits);
    }

    /** All below this are in the vector; unsigned. */
    public long limit() {
        return known.limit();
    }

    @Override
    public synchronized Address lookup(long address) {
        checkKnown("fi_av_lookup", address);
        byte[] bytes = Names.read("fi_av_lookup", (buffer, length) ->
                call(av -> AvOps.lookup(av, address, buffer, length)));
        return Address.ofCode(domain.info().addressFormatCode(), bytes);
    }

    @Override
    public String toText(Address address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, address.bytes());
            MemorySegment text = arena.allocate(Names.LONGEST);
            MemorySegment length = arena.allocateFrom(LONG, Names.LONGEST);
            String result = call(av -> AvOps.straddr(av, bytes.address(), text.address(), length.address()));
            if (result == null) {
                throw FabricException.of("fi_av_straddr", Errno.ENOSYS, null);
            }
            return result;
        }
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
    public AddressVectorImpl bind(EventQueue queue) {
        EventQueueImpl queueImpl = (EventQueueImpl) queue;
        bindOnce("fi_av_bind", queueImpl);
        return this;
    }

    @Override
    public void setUserId(long address, long userId) {
        check("fi_av_set_user_id", call(av -> AvOps.setUserId(av, address, userId, 0)), since("1.20"));
    }

    @Override
    public long insertAuthKey(byte[] key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(LONG);
            long bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, key).address();
            int code = call(av -> AvOps.insertAuthKey(av, bytes, key.length, result.address(), 0));
            check("fi_av_insert_auth_key", code, since("1.20"));
            return result.get(LONG, 0);
        }
    }

    @Override
    public byte[] lookupAuthKey(long address) {
        return Names.read("fi_av_lookup_auth_key", since("1.20"), (buffer, length) ->
                call(av -> AvOps.lookupAuthKey(av, address, buffer, length)));
    }

    private static String since(String release) {
        return "needs libfabric " + release + " or newer and a provider that has it; loaded is " + Known.library();
    }

    public static long receiveContextAddress(long address, int index, int receiveContextBits) {
        return (long) index << 64 - receiveContextBits | address;
    }

    public static long groupAddress(long address, int groupId) {
        return Integer.toUnsignedLong(groupId) << 32 | address;
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
