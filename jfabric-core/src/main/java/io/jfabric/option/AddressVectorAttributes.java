// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.AddressVector;
import io.jfabric.info.AvType;
import io.jfabric.internal.ffi.Arguments;
import java.util.Objects;
import java.util.Optional;

/** How an address vector is opened ({@code struct fi_av_attr}, fi_av(3)). Immutable. */
public final class AddressVectorAttributes {
    /** The domain's type, or the provider's preferred one, any number of addresses, private, insertions that wait. */
    public static final AddressVectorAttributes DEFAULT =
            new AddressVectorAttributes(AvType.UNSPEC, 0, 0, 0, Optional.empty(), false, false, false);

    private final AvType type;
    private final long count;
    private final long endpointsPerNode;
    private final int receiveContextBits;
    private final Optional<String> name;
    private final boolean readOnly;
    private final boolean symmetric;
    private final boolean asynchronous;

    private AddressVectorAttributes(AvType type, long count, long endpointsPerNode, int receiveContextBits,
            Optional<String> name, boolean readOnly, boolean symmetric, boolean asynchronous) {
        Objects.requireNonNull(type, "type");
        if (type == AvType.UNRECOGNIZED) {
            throw new IllegalArgumentException("type: UNRECOGNIZED is not an address vector type");
        }
        if (count < 0 || endpointsPerNode < 0) {
            throw new IllegalArgumentException("count " + count + " and endpointsPerNode " + endpointsPerNode
                    + " must not be negative; 0 means unknown");
        }
        Arguments.range("receiveContextBits", receiveContextBits, 0, 31);
        this.type = type;
        this.count = count;
        this.endpointsPerNode = endpointsPerNode;
        this.receiveContextBits = receiveContextBits;
        this.name = name;
        this.readOnly = readOnly;
        this.symmetric = symmetric;
        this.asynchronous = asynchronous;
    }

    /**
     * Changes the type.
     *
     * @param newType how addresses are handed out
     * @return new attributes
     */
    public AddressVectorAttributes withType(AvType newType) {
        return new AddressVectorAttributes(newType, count, endpointsPerNode, receiveContextBits, name, readOnly,
                symmetric, asynchronous);
    }

    /**
     * Changes the expected number of addresses.
     *
     * @param newCount how many; 0 if unknown
     * @return new attributes
     */
    public AddressVectorAttributes withCount(long newCount) {
        return new AddressVectorAttributes(type, newCount, endpointsPerNode, receiveContextBits, name, readOnly,
                symmetric, asynchronous);
    }

    /**
     * Changes the expected number of endpoints of each host.
     *
     * @param endpoints how many; 0 if unknown
     * @return new attributes
     */
    public AddressVectorAttributes withEndpointsPerNode(long endpoints) {
        return new AddressVectorAttributes(type, count, endpoints, receiveContextBits, name, readOnly, symmetric,
                asynchronous);
    }

    /**
     * Reserves bits of each address to name a receive context of a scalable endpoint.
     *
     * @param bits how many, 0 to 31
     * @return new attributes
     */
    public AddressVectorAttributes withReceiveContextBits(int bits) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, bits, name, readOnly, symmetric,
                asynchronous);
    }

    /**
     * Shares the vector with other processes under a name, for reading and inserting. Have one process do so, which
     * closes it last: others that opened it for inserting would start it anew.
     *
     * @param newName the name
     * @return new attributes
     */
    public AddressVectorAttributes shared(String newName) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits,
                named("AddressVectorAttributes.shared", newName), false, symmetric, asynchronous);
    }

    /**
     * Opens a vector that another process shares, for reading only ({@code FI_READ}). The count must be the same. Once
     * a process has closed the vector no other can open it.
     *
     * @param newName the name
     * @return new attributes
     */
    public AddressVectorAttributes sharedReadOnly(String newName) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits,
                named("AddressVectorAttributes.sharedReadOnly", newName), true, symmetric, asynchronous);
    }

    private static Optional<String> named(String method, String name) {
        return Optional.of(Arguments.given(name, method, "the name"));
    }

    /**
     * Changes whether all hosts have the same number of endpoints, at the same consecutive transport addresses
     * ({@code FI_SYMMETRIC}).
     *
     * @param same true if so
     * @return new attributes
     */
    public AddressVectorAttributes withSymmetric(boolean same) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits, name, readOnly, same,
                asynchronous);
    }

    /**
     * Changes whether insertions report to an event queue ({@code FI_EVENT}); see {@link AddressVector#bind}.
     *
     * @param reporting false for insertions that wait
     * @return new attributes
     */
    public AddressVectorAttributes withAsynchronous(boolean reporting) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits, name, readOnly,
                symmetric, reporting);
    }

    /** {@return how addresses are handed out} */
    public AvType type() {
        return type;
    }

    /** {@return how many addresses to expect; 0 if unknown} */
    public long count() {
        return count;
    }

    /** {@return how many endpoints of each host to expect; 0 if unknown} */
    public long endpointsPerNode() {
        return endpointsPerNode;
    }

    /** {@return how many bits of an address name a receive context of a scalable endpoint, 0 to 31} */
    public int receiveContextBits() {
        return receiveContextBits;
    }

    /** {@return the name under which processes share the vector; empty for a private one} */
    public Optional<String> name() {
        return name;
    }

    /** {@return whether a shared vector is opened for reading only} */
    public boolean readOnly() {
        return readOnly;
    }

    /** {@return whether all hosts have the same number of endpoints, at the same consecutive transport addresses} */
    public boolean symmetric() {
        return symmetric;
    }

    /** {@return whether insertions report to an event queue} */
    public boolean asynchronous() {
        return asynchronous;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressVectorAttributes a && a.type == type && a.count == count
                && a.endpointsPerNode == endpointsPerNode && a.receiveContextBits == receiveContextBits
                && a.name.equals(name) && a.readOnly == readOnly && a.symmetric == symmetric
                && a.asynchronous == asynchronous;
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, count, endpointsPerNode, receiveContextBits, name, readOnly, symmetric,
                asynchronous);
    }

    @Override
    public String toString() {
        return "AddressVectorAttributes[type=" + type + ", count=" + count + ", endpointsPerNode=" + endpointsPerNode
                + ", receiveContextBits=" + receiveContextBits + ", name=" + name.orElse("") + ", readOnly="
                + readOnly + ", symmetric=" + symmetric + ", asynchronous=" + asynchronous + "]";
    }
}
