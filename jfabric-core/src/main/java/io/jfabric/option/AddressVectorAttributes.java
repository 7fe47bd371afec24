// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.AddressVector;
import io.jfabric.info.AvType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an address vector is opened ({@code struct fi_av_attr}, fi_av(3)). Immutable.
 *
 * @param type how addresses are handed out
 * @param count how many addresses to expect; 0 if unknown
 * @param endpointsPerNode how many endpoints of a node will be inserted; 0 if unknown
 * @param receiveContextBits bits of an address that name a receive context of a scalable endpoint, 0 to 31
 * @param name name under which processes share the vector; null for a private one
 * @param readOnly whether a shared vector is opened for reading only ({@code FI_READ})
 * @param symmetric whether all processes insert the same addresses in the same order ({@code FI_SYMMETRIC})
 * @param asynchronous whether insertions report to an event queue ({@code FI_EVENT})
 */
public record AddressVectorAttributes(AvType type, long count, long endpointsPerNode, int receiveContextBits,
        @Nullable String name, boolean readOnly, boolean symmetric, boolean asynchronous) {
    /** The provider's preferred type, any number of addresses. */
    public static final AddressVectorAttributes DEFAULT =
            new AddressVectorAttributes(AvType.UNSPEC, 0, 0, 0, null, false, false, false);

    /** Checks the ranges. */
    public AddressVectorAttributes {
        Objects.requireNonNull(type, "type");
        if (type == AvType.UNRECOGNIZED) {
            throw new IllegalArgumentException("type: UNRECOGNIZED is not an address vector type");
        }
        if (count < 0 || endpointsPerNode < 0) {
            throw new IllegalArgumentException("count " + count + " and endpointsPerNode " + endpointsPerNode
                    + " must not be negative; 0 means unknown");
        }
        if (receiveContextBits < 0 || receiveContextBits > 31) {
            throw new IllegalArgumentException("receiveContextBits: " + receiveContextBits
                    + " is not between 0 and 31");
        }
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
     * @param newCount how many
     * @return new attributes
     */
    public AddressVectorAttributes withCount(long newCount) {
        return new AddressVectorAttributes(type, newCount, endpointsPerNode, receiveContextBits, name, readOnly,
                symmetric, asynchronous);
    }

    /**
     * Changes the expected number of endpoints of a node.
     *
     * @param endpoints how many
     * @return new attributes
     */
    public AddressVectorAttributes withEndpointsPerNode(long endpoints) {
        return new AddressVectorAttributes(type, count, endpoints, receiveContextBits, name, readOnly, symmetric,
                asynchronous);
    }

    /**
     * Reserves bits of each address for a receive context.
     *
     * @param bits how many
     * @return new attributes
     */
    public AddressVectorAttributes withReceiveContextBits(int bits) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, bits, name, readOnly, symmetric,
                asynchronous);
    }

    /**
     * Shares the vector with other processes under a name, for reading and inserting.
     *
     * @param newName the name
     * @return new attributes
     */
    public AddressVectorAttributes shared(String newName) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits, newName, false,
                symmetric, asynchronous);
    }

    /**
     * Opens a vector that another process shares, for reading only.
     *
     * @param newName the name
     * @return new attributes
     */
    public AddressVectorAttributes sharedReadOnly(String newName) {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits, newName, true,
                symmetric, asynchronous);
    }

    /**
     * Promises that all processes insert the same addresses in the same order.
     *
     * @return new attributes
     */
    public AddressVectorAttributes withSymmetric() {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits, name, readOnly, true,
                asynchronous);
    }

    /**
     * Lets insertions report to an event queue; see {@link AddressVector#bind}.
     *
     * @return new attributes
     */
    public AddressVectorAttributes withAsynchronous() {
        return new AddressVectorAttributes(type, count, endpointsPerNode, receiveContextBits, name, readOnly,
                symmetric, true);
    }
}
