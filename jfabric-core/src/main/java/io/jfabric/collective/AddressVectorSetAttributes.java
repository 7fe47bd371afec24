// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.internal.ffi.Arguments;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/** How a set of addresses is opened ({@code struct fi_av_set_attr}, fi_av_set(3)). Immutable. */
public final class AddressVectorSetAttributes {
    private final long capacity;
    private final long first;
    private final long last;
    private final long stride;
    private final boolean universe;
    private final Set<CollectiveOperation> operations;
    private final byte[] communicationKey;

    private AddressVectorSetAttributes(long capacity, long first, long last, long stride, boolean universe,
            Set<CollectiveOperation> operations, byte[] communicationKey) {
        if (stride < 1 || capacity < 0 || first < 0 || last < -1) {
            throw new IllegalArgumentException("fi_av_set: range " + first + " to " + last + ", stride " + stride
                    + ", capacity " + capacity + "; stride must be at least 1, capacity and first at least 0, and "
                    + "last at least -1");
        }
        this.capacity = capacity;
        this.first = first;
        this.last = last;
        this.stride = stride;
        this.universe = universe;
        this.operations = operations;
        this.communicationKey = communicationKey;
    }

    /**
     * A range of addresses.
     *
     * @param first the first
     * @param last the last; below {@code first} for an empty set
     * @param stride the distance from each to the next, at least 1
     * @return the attributes
     */
    public static AddressVectorSetAttributes range(long first, long last, long stride) {
        return new AddressVectorSetAttributes(0, first, last, stride, false, Set.of(), new byte[0]);
    }

    /**
     * An empty set.
     *
     * @return the attributes
     */
    public static AddressVectorSetAttributes empty() {
        return range(1, 0, 1);
    }

    /**
     * Changes how many addresses the set must hold.
     *
     * @param newCapacity how many; 0 for twice what the address vector has, 1024 at least
     * @return new attributes
     */
    public AddressVectorSetAttributes withCapacity(long newCapacity) {
        return new AddressVectorSetAttributes(newCapacity, first, last, stride, universe, operations,
                communicationKey);
    }

    /**
     * Changes whether the set is to hold all endpoints there are ({@code FI_UNIVERSE}).
     *
     * @param all false for the range alone
     * @return new attributes
     */
    public AddressVectorSetAttributes withUniverse(boolean all) {
        return new AddressVectorSetAttributes(capacity, first, last, stride, all, operations, communicationKey);
    }

    /**
     * Changes what the set will be used for.
     *
     * @param newOperations the operations; none for everything
     * @return new attributes
     */
    public AddressVectorSetAttributes withOperations(CollectiveOperation... newOperations) {
        return new AddressVectorSetAttributes(capacity, first, last, stride, universe,
                Set.copyOf(Arguments.all("fi_av_set", "an operation", newOperations)),
                communicationKey);
    }

    /**
     * Changes the key that a provider's fabric manager gave out.
     *
     * @param key the key; empty for none
     * @return new attributes
     */
    public AddressVectorSetAttributes withCommunicationKey(byte[] key) {
        return new AddressVectorSetAttributes(capacity, first, last, stride, universe, operations,
                Arguments.given(key, "fi_av_set", "the communication key").clone());
    }

    /** {@return how many addresses the set must hold; 0 for twice what the address vector has, 1024 at least} */
    public long capacity() {
        return capacity;
    }

    /** {@return the first address of the range that the set begins with} */
    public long first() {
        return first;
    }

    /** {@return the last address of that range; below {@link #first()} for an empty set} */
    public long last() {
        return last;
    }

    /** {@return the distance from each address to the next, at least 1} */
    public long stride() {
        return stride;
    }

    /** {@return whether the set is to hold all endpoints there are} */
    public boolean universe() {
        return universe;
    }

    /** {@return what the set will be used for; empty for everything} */
    public Set<CollectiveOperation> operations() {
        return operations;
    }

    /** {@return a copy of the key that a provider's fabric manager gave out; empty for none} */
    public byte[] communicationKey() {
        return communicationKey.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressVectorSetAttributes a && a.capacity == capacity && a.first == first
                && a.last == last && a.stride == stride && a.universe == universe && a.operations.equals(operations)
                && Arrays.equals(a.communicationKey, communicationKey);
    }

    @Override
    public int hashCode() {
        return Objects.hash(capacity, first, last, stride, universe, operations, Arrays.hashCode(communicationKey));
    }

    @Override
    public String toString() {
        return "AddressVectorSetAttributes[capacity=" + capacity + ", first=" + first + ", last=" + last + ", stride="
                + stride + ", universe=" + universe + ", operations=" + operations + ", communicationKey="
                + communicationKey.length + " bytes]";
    }
}
