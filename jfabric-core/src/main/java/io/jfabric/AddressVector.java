// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_av_attr;
import io.jfabric.ffi.AvOps;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Memory;
import io.jfabric.info.AvType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/**
 * Turns network addresses into the {@code long} values that operations take (fi_av(3)).
 *
 * <p>Thread-safe as far as the domain's threading level is. An address vector must be bound to an endpoint before the
 * endpoint is enabled.
 */
public final class AddressVector extends FabricObject {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final Domain domain;
    private final AvType type;
    private final PackedAddresses packing;
    private final KnownAddresses known = new KnownAddresses();
    private final int receiveContextBits;
    /** Null with other providers. */
    private final ShmPeers shm;

    private AddressVector(Domain domain, long handle, AvType type, AddressVectorAttributes attributes) {
        super(domain, handle);
        this.domain = domain;
        this.type = type;
        this.receiveContextBits = attributes.receiveContextBits();
        if (attributes.name() != null) {
            known.untrack();
        }
        this.packing = new PackedAddresses(domain.info());
        this.shm = ShmPeers.is(domain.info()) ? ShmPeers.of(this) : null;
    }

    static AddressVector open(Domain domain, AddressVectorAttributes attributes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_av_attr.allocate(arena);
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
            long av = domain.open("fi_av_open", (d, result) -> DomainOps.avOpen(d, attr.address(), result, 0));
            return new AddressVector(domain, av, AvType.ofCode(fi_av_attr.type(attr)), attributes);
        }
    }

    /**
     * The type the provider chose.
     *
     * @return how addresses are handed out
     */
    public AvType type() {
        return type;
    }

    /**
     * Inserts an address that came from a peer ({@code fi_av_insert}).
     *
     * @param address what the peer's {@link Endpoint#address()} gave, as {@link Address#bytes()}
     * @return the value to send to
     * @throws IllegalArgumentException if the bytes cannot be an address of this domain's format
     */
    public long insert(byte[] address) {
        Objects.requireNonNull(address, "fi_av_insert: the address is null");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(LONG);
            long packed = packing.pack(arena, address);
            MemorySegment bytes = MemorySegment.ofArray(address);
            checkShm(bytes, 1);
            int inserted = AvOps.insert(handle(), packed, 1, result.address(), 0, 0);
            check("fi_av_insert", inserted, null);
            if (inserted != 1) {
                throw FabricException.of("fi_av_insert", Errno.EINVAL, "the provider does not accept the address "
                        + Address.ofCode(domain.info().addressFormatCode(), address));
            }
            added(bytes, result, 1);
            return result.get(LONG, 0);
        }
    }

    /**
     * Inserts an address ({@code fi_av_insert}).
     *
     * @param address an address of this domain's format
     * @return the value to send to
     */
    public long insert(Address address) {
        packing.checkFormat(address);
        return insert(address.bytes());
    }

    /**
     * Inserts addresses, and says for each how it went ({@code FI_SYNC_ERR}).
     *
     * @param addresses any number
     * @return one result for each address
     */
    public List<AddressInsertion> insert(List<Address> addresses) {
        addresses.forEach(packing::checkFormat);
        return packing.insertEach(addresses.stream().map(Address::bytes).toList(), this::insertArray);
    }

    private int insertArray(long packed, long count, long results, long errors) {
        MemorySegment address = shm == null ? null : ShmPeers.name(packed);
        checkShm(address, count);
        int inserted = errors == 0
                ? AvOps.insert(handle(), packed, count, results, 0, 0)
                : AvOps.insert(handle(), packed, count, results, Libfabric.FI_SYNC_ERR(), errors);
        added(address, Memory.segment(results, count * LONG.byteSize()), inserted < 0 ? 0 : count);
        return inserted;
    }

    /**
     * Inserts many addresses without a Java object for any of them.
     *
     * @param addresses the addresses one after the other, all of the same length
     * @param count how many
     * @param results an array of at least {@code count} longs for the values; null where they are not needed, as the
     *     indices of {@link AvType#TABLE} count up
     * @param more whether another call follows at once ({@code FI_MORE})
     * @return how many were inserted; the results of the others are {@link Address#NOT_AVAILABLE}
     */
    public long insert(MemorySegment addresses, long count, MemorySegment results, boolean more) {
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
        int inserted = AvOps.insert(handle(), from, count, to, more ? Libfabric.FI_MORE() : 0, 0);
        check("fi_av_insert", inserted, null);
        if (results == null) {
            known.addNext(inserted);
        } else {
            added(addresses, results, count);
        }
        return inserted;
    }

    /**
     * Starts an insertion that reports to the bound event queue ({@code FI_EVENT}). The values are there once the
     * queue has delivered the {@link FabricEvent.AddressesInserted} with this context.
     *
     * @param addresses the addresses one after the other, all of the same length; must not change meanwhile
     * @param count how many
     * @param results an array of at least {@code count} longs; must stay alive meanwhile
     * @param context comes back in the event
     */
    public void insertAsync(MemorySegment addresses, long count, MemorySegment results, long context) {
        long from = Buffers.address("fi_av_insert", addresses);
        Buffers.range("fi_av_insert", addresses, 0, packing.sizeOf(count));
        long to = Buffers.writable("fi_av_insert", results);
        Buffers.range("fi_av_insert", results, 0, Math.multiplyExact(count, LONG.byteSize()));
        checkShm(addresses, count);
        check("fi_av_insert", AvOps.insert(handle(), from, count, to, 0, context), null);
        known.untrack();
    }

    /**
     * Inserts the address of a node and service ({@code fi_av_insertsvc}).
     *
     * @param node host name or address
     * @param service port or service name
     * @return the value to send to
     */
    public long insertService(String node, String service) {
        return insertSymmetric(node, 1, service, 1)[0];
    }

    /**
     * Inserts the addresses of numbered nodes and services ({@code fi_av_insertsym}): node10 and 2 mean node10 and
     * node11.
     *
     * @param node name or address of the first node
     * @param nodeCount how many nodes, at least 1
     * @param service port of the first service
     * @param serviceCount how many services on each node, at least 1
     * @return the values, all services of the first node first
     */
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
                    ? AvOps.insertsvc(handle(), n, s, results.address(), 0, 0)
                    : AvOps.insertsym(handle(), n, nodeCount, s, serviceCount, results.address(), 0, 0);
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

    /**
     * Removes addresses ({@code fi_av_remove}). No operation to them may be under way.
     *
     * @param addresses values that an insertion gave
     */
    public void remove(long... addresses) {
        for (long address : addresses) {
            checkKnown("fi_av_remove", address);
        }
        if (shm != null) {
            shm.checkEnabled("fi_av_remove");
        }
        try (Arena arena = Arena.ofConfined()) {
            check("fi_av_remove", AvOps.remove(handle(), arena.allocateFrom(LONG, addresses).address(),
                    addresses.length, 0), null);
        }
        removed(addresses);
    }

    /** They are not there any more, or must be treated so. */
    void removed(long... addresses) {
        known.remove(addresses);
        for (long address : addresses) {
            if (shm != null) {
                shm.removed(address);
            }
        }
        eachUser(user -> {
            if (user instanceof Endpoint endpoint) {
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
    boolean has(long address) {
        return known.has(receiveContextBits == 0 ? address : address & -1L >>> receiveContextBits);
    }

    /** All below this are in the vector; unsigned. */
    long limit() {
        return known.limit();
    }

    /**
     * The network address behind a value ({@code fi_av_lookup}).
     *
     * @param address a value that an insertion gave
     * @return the address
     */
    public Address lookup(long address) {
        checkKnown("fi_av_lookup", address);
        byte[] bytes = Names.read("fi_av_lookup", (buffer, length) ->
                AvOps.lookup(handle(), address, buffer, length));
        return Address.ofCode(domain.info().addressFormatCode(), bytes);
    }

    /**
     * The provider's text for an address ({@code fi_av_straddr}).
     *
     * @param address an address of this domain's format
     * @return the text
     */
    public String toText(Address address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, address.bytes());
            MemorySegment text = arena.allocate(Names.LONGEST);
            MemorySegment length = arena.allocateFrom(LONG, Names.LONGEST);
            String result = AvOps.straddr(handle(), bytes.address(), text.address(), length.address());
            if (result == null) {
                throw FabricException.of("fi_av_straddr", Errno.ENOSYS, null);
            }
            return result;
        }
    }

    /**
     * Opens a set of some of the addresses, for collective operations ({@code fi_av_set}). Insert all members'
     * addresses first, this endpoint's own among them, in the same order everywhere.
     *
     * @param attributes which addresses it begins with
     * @return the set
     * @throws FabricException {@code FI_ENOSYS} where the provider has no collectives
     */
    public AddressVectorSet openSet(AddressVectorSetAttributes attributes) {
        return AddressVectorSet.open(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /** One more than the largest address. */
    long known() {
        return known.end();
    }

    /** How many addresses the provider's sets may start with; fixed by the first set. */
    long knownForSets() {
        return known.freeze();
    }

    String provider() {
        return domain.info().provider();
    }

    /**
     * Lets asynchronous insertions report to an event queue ({@code fi_av_bind}; deprecated by libfabric 2).
     *
     * @param queue the queue
     * @return this
     */
    public AddressVector bind(EventQueue queue) {
        bindOnce("fi_av_bind", queue);
        return this;
    }

    /**
     * Chooses the value that completions report for a peer ({@code fi_av_set_user_id}, libfabric 1.20).
     *
     * @param address a value that an insertion gave
     * @param userId the value to report
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    public void setUserId(long address, long userId) {
        check("fi_av_set_user_id", AvOps.setUserId(handle(), address, userId, 0), since("1.20"));
    }

    /**
     * Inserts an authorisation key ({@code fi_av_insert_auth_key}, libfabric 1.20).
     *
     * @param key the key
     * @return the value that stands for it
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    public long insertAuthKey(byte[] key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(LONG);
            check("fi_av_insert_auth_key", AvOps.insertAuthKey(handle(),
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, key).address(), key.length, result.address(), 0),
                    since("1.20"));
            return result.get(LONG, 0);
        }
    }

    /**
     * The authorisation key behind a value ({@code fi_av_lookup_auth_key}, libfabric 1.20).
     *
     * @param address a value that an insertion gave
     * @return the key
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    public byte[] lookupAuthKey(long address) {
        return Names.read("fi_av_lookup_auth_key", since("1.20"), (buffer, length) ->
                AvOps.lookupAuthKey(handle(), address, buffer, length));
    }

    private static String since(String release) {
        return "needs libfabric " + release + " or newer and a provider that has it; loaded is " + Fabric.version();
    }

    /**
     * The address of one receive context of a scalable endpoint ({@code fi_rx_addr}).
     *
     * @param address the endpoint's address
     * @param index number of the receive context
     * @param receiveContextBits what the vector was opened with
     * @return the value to send to
     */
    public static long receiveContextAddress(long address, int index, int receiveContextBits) {
        return (long) index << 64 - receiveContextBits | address;
    }

    /**
     * An address with a group id ({@code fi_group_addr}, libfabric 2.0).
     *
     * @param address an address
     * @param groupId the group
     * @return the value to send to
     */
    public static long groupAddress(long address, int groupId) {
        return Integer.toUnsignedLong(groupId) << 32 | address;
    }


    @Override
    String kind() {
        return "address vector";
    }

    @Override
    int closeRank() {
        return CloseRank.ADDRESS_VECTOR;
    }
}
