// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.AddressVector;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.collective.AddressVectorSetImpl;
import java.util.List;
import java.util.Objects;

/**
 * An ordered set of addresses of an {@link AddressVector}: the members of a collective group (fi_av_set(3)). All
 * members must make equal sets. Not thread-safe.
 *
 * <p>From the join of a group until that group is closed, methods that change its set throw
 * {@link IllegalStateException}: libfabric goes on asking the set who the members are.
 */
public sealed interface AddressVectorSet extends FabricObject permits AddressVectorSetImpl {
    /**
     * Opens a set of some of the addresses of a vector, for collective operations ({@code fi_av_set}). Insert all
     * members' addresses first, this endpoint's own among them, in the same order everywhere.
     *
     * @param vector the address vector
     * @param attributes which addresses it begins with
     * @return the set
     * @throws FabricException {@code FI_ENOSYS} where the provider has no collectives
     * @throws IllegalStateException if it is the first set and addresses were removed from the vector
     */
    static AddressVectorSet open(AddressVector vector, AddressVectorSetAttributes attributes) {
        return AddressVectorSetImpl.open((AddressVectorImpl) Objects.requireNonNull(vector, "vector"),
                Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Adds an address ({@code fi_av_set_insert}).
     *
     * @param address a value that the address vector gave
     * @return this
     * @throws FabricException {@code FI_EINVAL} if it is there already, {@code FI_ENOMEM} if the set is full
     */
    AddressVectorSet insert(long address);

    /**
     * Removes an address ({@code fi_av_set_remove}). Its place may go to the last member.
     *
     * @param address a member
     * @return this
     * @throws FabricException {@code FI_EINVAL} if it is not there
     */
    AddressVectorSet remove(long address);

    /**
     * Adds what another set has ({@code fi_av_set_union}): all of it or, where there is no room, nothing.
     *
     * @param other a set of the same address vector
     * @return this
     * @throws FabricException {@code FI_ENOMEM} if the set has no room for them
     */
    AddressVectorSet union(AddressVectorSet other);

    /**
     * Removes what another set does not have ({@code fi_av_set_intersect}).
     *
     * @param other a set of the same address vector
     * @return this
     */
    AddressVectorSet intersect(AddressVectorSet other);

    /**
     * Removes what another set has ({@code fi_av_set_diff}).
     *
     * @param other a set of the same address vector
     * @return this
     */
    AddressVectorSet difference(AddressVectorSet other);

    /**
     * The address of the set as a whole ({@code fi_av_set_addr}): the parent group of a join by some of its members.
     *
     * @return the collective address
     */
    long fabricAddress();

    /**
     * The members.
     *
     * @return address-vector addresses, in the order of libfabric's own sets
     */
    List<Long> members();
}
