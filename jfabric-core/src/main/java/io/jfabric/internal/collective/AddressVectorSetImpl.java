// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_av_set_attr;
import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.AddressVectorSetAttributes;
import io.jfabric.collective.CollectiveOperation;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.ops.AvSetOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@link AddressVectorSet}. */
public final class AddressVectorSetImpl extends FidObject implements AddressVectorSet {
    private static final long LEAST_CAPACITY = 1024;

    private final AddressVectorImpl vector;
    /** The addresses that the provider holds, in its order; it cannot be asked for them. */
    private final List<Long> members = new CopyOnWriteArrayList<>();

    private AddressVectorSetImpl(AddressVectorImpl vector, long handle) {
        super(vector, handle);
        this.vector = vector;
    }

    public static AddressVectorSetImpl open(AddressVectorImpl vector, AddressVectorSetAttributes attributes) {
        // throws if it is closed, before it is asked for anything else
        vector.handle();
        long known = vector.knownForSets();
        if (attributes.last() >= attributes.first() && attributes.last() >= vector.known()) {
            throw new IllegalArgumentException("fi_av_set: the range ends at " + attributes.last()
                    + ", but the address vector has only " + vector.known() + " addresses, counted from 0");
        }
        long size = attributes.last() < attributes.first() ? 0
                : (attributes.last() - attributes.first()) / attributes.stride() + 1;
        if (attributes.capacity() != 0 && size > attributes.capacity()) {
            throw new IllegalArgumentException("fi_av_set: the range has " + size + " addresses, the set a capacity of "
                    + attributes.capacity());
        }
        // The software providers copy the vector with the first set, and read beyond the end for later addresses.
        boolean whole = size > 0 && attributes.last() < known;
        // 1 to 0 is empty; -1 would be the largest address there is
        long first = whole ? attributes.first() : 1;
        long last = whole ? attributes.last() : 0;
        try (Arena arena = Arena.ofConfined()) {
            byte[] key = attributes.communicationKey();
            MemorySegment attr = Structs.allocate(arena, fi_av_set_attr.layout());
            // always: else the vector's first size counts, and libfabric 2 crashes when it finds that too small
            fi_av_set_attr.count(attr, attributes.capacity() != 0 ? attributes.capacity()
                    : Math.max(LEAST_CAPACITY, 2 * known));
            fi_av_set_attr.start_addr(attr, first);
            fi_av_set_attr.end_addr(attr, last);
            fi_av_set_attr.stride(attr, attributes.stride());
            fi_av_set_attr.comm_key_size(attr, key.length);
            fi_av_set_attr.comm_key(attr, key.length == 0 ? MemorySegment.NULL : arena.allocateFrom(JAVA_BYTE, key));
            fi_av_set_attr.flags(attr, flags(attributes));
            AddressVectorSetImpl set = Opening.of(vector, "fi_av_set", (av, result) ->
                    AvOps.avSet(av, attr.address(), result, 0), made -> new AddressVectorSetImpl(vector, made),
                    "provider " + vector.provider() + "; ask for the capability COLLECTIVE in the hints");
            try {
                for (long i = 0; i < size; i++) {
                    long a = attributes.first() + i * attributes.stride();
                    if (whole) {
                        set.members.add(a);
                    } else {
                        set.insert(a);
                    }
                }
            } catch (RuntimeException | Error e) {
                try {
                    set.close();
                } catch (RuntimeException stays) {
                    e.addSuppressed(stays);
                }
                throw e;
            }
            return set;
        }
    }

    private static long flags(AddressVectorSetAttributes attributes) {
        return attributes.operations().stream().mapToLong(AddressVectorSetImpl::flag).reduce(
                attributes.universe() ? Libfabric.FI_UNIVERSE() : 0, (a, b) -> a | b);
    }

    /** The bit that asks for a set with which this operation can be done. */
    private static long flag(CollectiveOperation operation) {
        return switch (operation) {
            case BARRIER -> Libfabric.FI_BARRIER_SET();
            case BROADCAST -> Libfabric.FI_BROADCAST_SET();
            case ALLTOALL -> Libfabric.FI_ALLTOALL_SET();
            case ALLREDUCE -> Libfabric.FI_ALLREDUCE_SET();
            case ALLGATHER -> Libfabric.FI_ALLGATHER_SET();
            case REDUCE_SCATTER -> Libfabric.FI_REDUCE_SCATTER_SET();
            case REDUCE -> Libfabric.FI_REDUCE_SET();
            case SCATTER -> Libfabric.FI_SCATTER_SET();
            case GATHER -> Libfabric.FI_GATHER_SET();
        };
    }

    @Override
    public synchronized AddressVectorSetImpl insert(long address) {
        checkChangeable("fi_av_set_insert");
        if (address < 0 || !vector.has(address)) {
            throw new IllegalArgumentException("fi_av_set_insert: " + address + " is not in the address vector");
        }
        check("fi_av_set_insert", call(set -> AvSetOps.insert(set, address)), members.contains(address)
                ? "address " + address + " is in the set already" : "address " + address + " beside the "
                + members.size() + " that are in the set: where that is full, open it with a larger capacity");
        members.add(address);
        return this;
    }

    @Override
    public synchronized AddressVectorSetImpl remove(long address) {
        checkChangeable("fi_av_set_remove");
        check("fi_av_set_remove", call(set -> AvSetOps.remove(set, address)), "address " + address
                + (members.contains(address) ? "" : " is not in the set"));
        forget(address);
        return this;
    }

    /** Groups go on asking their set for its size, and divide by it. */
    private void checkChangeable(String operation) {
        eachChild(group -> {
            throw new IllegalStateException(operation + ": a group that has joined by this set is open; close it "
                    + "first, or make another set");
        });
    }

    private void forget(long address) {
        int at = members.indexOf(address);
        if (at >= 0) {
            Collections.swap(members, at, members.size() - 1);
            members.removeLast();
        }
    }

    @Override
    public synchronized AddressVectorSetImpl union(AddressVectorSet other) {
        checkChangeable("fi_av_set_union");
        AddressVectorSetImpl otherImpl = sibling("fi_av_set_union", other);
        List<Long> missing = otherImpl.members.stream().filter(a -> !members.contains(a)).toList();
        int result = call(set -> AvSetOps.union(set, otherImpl.fid()));
        if (result != 0) {
            // the provider keeps what it had room for: out again, the last first, so that the order stays
            missing.reversed().forEach(a -> call(set -> AvSetOps.remove(set, a)));
        }
        check("fi_av_set_union", result, missing.size() + " addresses more than the " + members.size() + " that are in "
                + "the set, which stays as it was: open it with a larger capacity");
        members.addAll(missing);
        return this;
    }

    @Override
    public synchronized AddressVectorSetImpl intersect(AddressVectorSet other) {
        checkChangeable("fi_av_set_intersect");
        AddressVectorSetImpl otherImpl = sibling("fi_av_set_intersect", other);
        if (isSorted(members) && isSorted(otherImpl.members)) {
            check("fi_av_set_intersect", call(set -> AvSetOps.intersect(set, otherImpl.fid())), null);
            members.retainAll(otherImpl.members);
        } else {
            // libfabric's own loses members if the sets are in different orders
            List.copyOf(members).stream().filter(a -> !otherImpl.members.contains(a)).forEach(this::remove);
        }
        return this;
    }

    private static boolean isSorted(List<Long> addresses) {
        return addresses.equals(addresses.stream().sorted().toList());
    }

    @Override
    public synchronized AddressVectorSetImpl difference(AddressVectorSet other) {
        checkChangeable("fi_av_set_diff");
        AddressVectorSetImpl otherImpl = sibling("fi_av_set_diff", other);
        List<Long> common = otherImpl.members.stream().filter(members::contains).toList();
        List<Long> tail = members.subList(members.size() - common.size(), members.size());
        if (common.equals(tail.reversed())) {
            check("fi_av_set_diff", call(set -> AvSetOps.diff(set, otherImpl.fid())), null);
            common.forEach(this::forget);
        } else {
            // libfabric's own would drop the last member in place of the right one
            common.forEach(this::remove);
        }
        return this;
    }

    /** The other set, if it is open and of the same vector. */
    private AddressVectorSetImpl sibling(String operation, AddressVectorSet other) {
        AddressVectorSetImpl one = (AddressVectorSetImpl) Objects.requireNonNull(other,
                operation + ": the other set is null");
        if (one.vector != vector) {
            throw new IllegalArgumentException(operation + ": the sets are of different address vectors");
        }
        one.fid();
        return one;
    }

    @Override
    public long fabricAddress() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            check("fi_av_set_addr", call(set -> AvSetOps.addr(set, result.address())), null);
            return result.get(JAVA_LONG, 0);
        }
    }

    @Override
    public List<Long> members() {
        return List.copyOf(members);
    }

    public AddressVectorImpl vector() {
        return vector;
    }

    @Override
    public String kind() {
        return "address vector set";
    }

    @Override
    protected int closeRank() {
        return CloseRank.ADDRESS_SET;
    }
}
