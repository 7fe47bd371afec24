// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Arguments;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/**
 * How a set of addresses is opened ({@code struct fi_av_set_attr}, fi_av_set(3)). Immutable.
 *
 * @param capacity how many addresses it must hold; 0 for twice what the address vector has, 1024 at least
 * @param first the first address of the range it begins with
 * @param last the last address of that range; below {@code first} for an empty set
 * @param stride the distance from each address to the next, at least 1
 * @param universe whether the set is to hold all endpoints there are ({@code FI_UNIVERSE})
 * @param operations what the set will be used for; empty for everything
 * @param communicationKey a key that a provider's fabric manager gave out; empty for none
 */
public record AddressVectorSetAttributes(long capacity, long first, long last, long stride, boolean universe,
        Set<CollectiveOperation> operations, byte[] communicationKey) {
    /** Checks the ranges. */
    public AddressVectorSetAttributes {
        operations = Set.copyOf(Arguments.all("fi_av_set", "an operation",
                Arguments.given(operations, "fi_av_set", "the set of operations").toArray(CollectiveOperation[]::new)));
        communicationKey = Objects.requireNonNull(communicationKey, "communicationKey").clone();
        if (stride < 1 || capacity < 0 || first < 0 || last < -1) {
            throw new IllegalArgumentException("fi_av_set: range " + first + " to " + last + ", stride " + stride
                    + ", capacity " + capacity + "; stride must be at least 1, capacity and first at least 0, and "
                    + "last at least -1");
        }
    }

    /**
     * A range of addresses.
     *
     * @param first the first
     * @param last the last
     * @param stride the distance from each to the next
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
     * Asks for all endpoints there are ({@code FI_UNIVERSE}).
     *
     * @return new attributes
     */
    public AddressVectorSetAttributes withUniverse() {
        return new AddressVectorSetAttributes(capacity, first, last, stride, true, operations, communicationKey);
    }

    /**
     * Says what the set will be used for.
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
     * Sets a key that a provider's fabric manager gave out.
     *
     * @param key the key; empty for none
     * @return new attributes
     */
    public AddressVectorSetAttributes withCommunicationKey(byte[] key) {
        return new AddressVectorSetAttributes(capacity, first, last, stride, universe, operations, key);
    }

    /**
     * The key.
     *
     * @return a copy
     */
    @Override
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

    /**
     * The flags that libfabric takes ({@code fi_av_set_attr.flags}).
     *
     * @return bits
     */
    public long flags() {
        return operations.stream().mapToLong(CollectiveOperation::setFlag).reduce(0, (a, b) -> a | b)
                | (universe ? Libfabric.FI_UNIVERSE() : 0);
    }
}
