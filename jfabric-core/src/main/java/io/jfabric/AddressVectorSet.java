// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.fi_av_set_attr;
import io.jfabric.ffi.AvOps;
import io.jfabric.ffi.AvSetOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * An ordered set of addresses of an {@link AddressVector}: the members of a collective group (fi_av_set(3)). All
 * members must make equal sets. Not thread-safe, and not to be changed while a group of it is being joined.
 */
public final class AddressVectorSet extends FabricObject {
    private final AddressVector vector;
    /** What the provider holds, in its order; it cannot be asked. */
    private final List<Long> members = new ArrayList<>();

    private AddressVectorSet(AddressVector vector, long handle) {
        super(vector, handle);
        this.vector = vector;
    }

    static AddressVectorSet open(AddressVector vector, AddressVectorSetAttributes attributes) {
        long known = vector.knownForSets();
        if (attributes.last() >= attributes.first() && attributes.last() >= vector.known()) {
            throw new IllegalArgumentException("fi_av_set: the range ends at " + attributes.last()
                    + ", but the address vector has only " + vector.known() + " addresses, counted from 0");
        }
        // The software providers copy the vector with the first set, and read beyond the end for later addresses.
        boolean whole = attributes.last() < known;
        long first = whole ? attributes.first() : 1;
        long last = whole ? attributes.last() : 0;
        try (Arena arena = Arena.ofConfined()) {
            byte[] key = attributes.communicationKey();
            MemorySegment attr = fi_av_set_attr.allocate(arena);
            fi_av_set_attr.count(attr, attributes.capacity());
            fi_av_set_attr.start_addr(attr, first);
            // -1 would be the largest there is
            fi_av_set_attr.end_addr(attr, Math.max(0, last));
            fi_av_set_attr.stride(attr, attributes.stride());
            fi_av_set_attr.comm_key_size(attr, key.length);
            fi_av_set_attr.comm_key(attr, key.length == 0 ? MemorySegment.NULL : arena.allocateFrom(JAVA_BYTE, key));
            fi_av_set_attr.flags(attr, attributes.flags());
            MemorySegment result = arena.allocate(JAVA_LONG);
            check("fi_av_set", AvOps.avSet(vector.handle(), attr.address(), result.address(), 0),
                    "provider " + vector.provider() + "; ask for the capability COLLECTIVE in the hints");
            AddressVectorSet set = new AddressVectorSet(vector, result.get(JAVA_LONG, 0));
            for (long a = attributes.first(); a <= attributes.last(); a += attributes.stride()) {
                if (whole) {
                    set.members.add(a);
                } else {
                    set.insert(a);
                }
            }
            return set;
        }
    }

    /**
     * Adds an address ({@code fi_av_set_insert}).
     *
     * @param address a value that the address vector gave
     * @return this
     * @throws FabricException {@code FI_EINVAL} if it is there already, {@code FI_ENOMEM} if the set is full
     */
    public AddressVectorSet insert(long address) {
        if (address < 0 || address >= vector.known()) {
            throw new IllegalArgumentException("fi_av_set_insert: " + address + " is not in the address vector");
        }
        check("fi_av_set_insert", AvSetOps.insert(handle(), address), "address " + address);
        members.add(address);
        return this;
    }

    /**
     * Removes an address ({@code fi_av_set_remove}). Its place may go to the last member.
     *
     * @param address a member
     * @return this
     * @throws FabricException {@code FI_EINVAL} if it is not there
     */
    public AddressVectorSet remove(long address) {
        check("fi_av_set_remove", AvSetOps.remove(handle(), address), "address " + address);
        forget(address);
        return this;
    }

    private void forget(long address) {
        int at = members.indexOf(address);
        if (at >= 0) {
            Collections.swap(members, at, members.size() - 1);
            members.removeLast();
        }
    }

    /**
     * Adds what another set has ({@code fi_av_set_union}).
     *
     * @param other a set of the same address vector
     * @return this
     */
    public AddressVectorSet union(AddressVectorSet other) {
        check("fi_av_set_union", AvSetOps.union(handle(), sibling("fi_av_set_union", other)), null);
        other.members.stream().filter(a -> !members.contains(a)).forEach(members::add);
        return this;
    }

    /**
     * Removes what another set does not have ({@code fi_av_set_intersect}).
     *
     * @param other a set of the same address vector
     * @return this
     */
    public AddressVectorSet intersect(AddressVectorSet other) {
        long src = sibling("fi_av_set_intersect", other);
        if (isSorted(members) && isSorted(other.members)) {
            check("fi_av_set_intersect", AvSetOps.intersect(handle(), src), null);
            members.retainAll(other.members);
        } else {
            // libfabric's own loses members of sets that are in different orders
            List.copyOf(members).stream().filter(a -> !other.members.contains(a)).forEach(this::remove);
        }
        return this;
    }

    private static boolean isSorted(List<Long> addresses) {
        return addresses.equals(addresses.stream().sorted().toList());
    }

    /**
     * Removes what another set has ({@code fi_av_set_diff}).
     *
     * @param other a set of the same address vector
     * @return this
     */
    public AddressVectorSet difference(AddressVectorSet other) {
        long src = sibling("fi_av_set_diff", other);
        List<Long> common = other.members.stream().filter(members::contains).toList();
        List<Long> tail = members.subList(members.size() - common.size(), members.size());
        if (common.equals(tail.reversed())) {
            check("fi_av_set_diff", AvSetOps.diff(handle(), src), null);
            common.forEach(this::forget);
        } else {
            // libfabric's own drops the last member in place of the one it should
            common.forEach(this::remove);
        }
        return this;
    }

    private long sibling(String operation, AddressVectorSet other) {
        Objects.requireNonNull(other, operation + ": the other set is null");
        if (other.vector != vector) {
            throw new IllegalArgumentException(operation + ": the sets are of different address vectors");
        }
        return other.handle();
    }

    /**
     * The address of the set as a whole ({@code fi_av_set_addr}): the parent group of a join by some of its members.
     *
     * @return the collective address
     */
    public long address() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            check("fi_av_set_addr", AvSetOps.addr(handle(), result.address()), null);
            return result.get(JAVA_LONG, 0);
        }
    }

    /**
     * The members.
     *
     * @return address-vector addresses, in the order of libfabric's own sets
     */
    public List<Long> members() {
        return List.copyOf(members);
    }

    AddressVector vector() {
        return vector;
    }

    @Override
    String kind() {
        return "address vector set";
    }

    @Override
    int closeRank() {
        return CloseRank.ADDRESS_SET;
    }
}
