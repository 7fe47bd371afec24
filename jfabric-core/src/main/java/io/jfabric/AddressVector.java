// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.AvType;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.address.ComposedAddresses;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns network addresses into the {@code long} values that operations take (fi_av(3)).
 *
 * <p>Thread-safe as far as the domain's threading level allows; threads may go on sending while others insert and
 * remove. An address vector must be bound to an endpoint before the endpoint is enabled.
 */
public sealed interface AddressVector extends FabricObject permits AddressVectorImpl {
    /**
     * The type the provider chose.
     *
     * @return how addresses are handed out
     */
    AvType type();

    /**
     * Inserts an address that came from a peer ({@code fi_av_insert}).
     *
     * @param address what the peer's {@link Endpoint#address()} gave, as {@link Address#bytes()}
     * @return the value to send to
     * @throws IllegalArgumentException if the bytes cannot be an address of this domain's format, or no provider that
     *     {@code lnx} has linked leads there
     * @throws IllegalStateException if the vector is bound to an endpoint that is not enabled, where the provider would
     *     crash (shm), or was opened for {@link #insertAsync}; if the provider cannot reach an endpoint of that name
     *     any more (shm)
     * @throws FabricException {@code FI_ENOENT} if the peer is not there yet and the provider does not look again;
     *     {@code FI_EINVAL} if the provider does not accept the address; {@code FI_ENOSPC} if it is one more than a
     *     vector of this provider may ever have
     */
    long insert(byte[] address);

    /**
     * Inserts an address ({@code fi_av_insert}).
     *
     * @param address an address of this domain's format
     * @return the value to send to
     * @throws IllegalArgumentException if the address has another format
     * @throws IllegalStateException as for {@link #insert(byte[])}
     * @throws FabricException as for {@link #insert(byte[])}
     */
    long insert(Address address);

    /**
     * Inserts an address that nobody can connect to because it is behind a firewall ({@code FI_FIREWALL_ADDR},
     * libfabric 2.2 and newer). Until the peer has connected to this side, sends to it fail with {@link
     * FabricError#EFIREWALLADDR}. Only tcp knows the flag; other providers may ignore or refuse it.
     *
     * @param address an address of this domain's format
     * @return the value to send to
     * @throws FabricException {@code FI_ENOSYS} with an older library
     */
    long insertBehindFirewall(Address address);

    /**
     * Inserts addresses, and says for each how it went ({@code FI_SYNC_ERR}).
     *
     * @param addresses any number
     * @return one result for each address
     * @throws IllegalArgumentException if an address has another format, or its bytes have another length or address
     *     family than that; none is inserted then. The message names its index
     * @throws IllegalStateException as for {@link #insert(byte[])}, but for what cannot be reached (any more), which
     *     is {@code FI_EHOSTDOWN} here
     * @throws FabricException {@code FI_ENOSPC} if they are more than a vector of this provider may ever have; none is
     *     inserted then
     */
    List<AddressInsertion> insert(List<Address> addresses);

    /**
     * Inserts many addresses without a Java object for any of them ({@code fi_av_insert}).
     *
     * @param addresses the addresses one after the other, all of the same length
     * @param count how many
     * @param results an array of at least {@code count} longs for the values; null where they are not needed, as the
     *     indices of {@link AvType#TABLE} count up
     * @return how many were inserted; the results of the others are {@link Address#NOT_AVAILABLE}
     * @throws IllegalArgumentException if the count is not between 0 and 16,777,216, the memory is on the heap, or the
     *     addresses are not of this domain's format, all of one family: none is inserted then, and the message names
     *     the index of the first that is not
     * @throws IndexOutOfBoundsException if the memory is too short for that many; if addresses are texts (shm)
     *     {@link IllegalArgumentException}
     * @throws IllegalStateException as for {@link #insert(byte[])}
     * @throws FabricException {@code FI_ENOSPC} as for {@link #insert(List)}
     * @throws UnsupportedOperationException if the length of an address of this format is not known
     */
    long insertAll(MemorySegment addresses, long count, @Nullable MemorySegment results);

    /**
     * Like {@link #insertAll}, and tells the provider that another insertion follows at once ({@code FI_MORE}).
     *
     * @param addresses the addresses one after the other, all of the same length
     * @param count how many
     * @param results an array of at least {@code count} longs for the values; null where they are not needed
     * @return how many were inserted; the results of the others are {@link Address#NOT_AVAILABLE}
     */
    long insertMore(MemorySegment addresses, long count, @Nullable MemorySegment results);

    /**
     * Starts an insertion that reports to the bound event queue ({@code FI_EVENT}). The values are there once the
     * queue has delivered the {@link FabricEvent.AddressesInserted} with this context.
     *
     * @param addresses the addresses one after the other, all of the same length; copied before this returns
     * @param count how many
     * @param results an array of at least {@code count} longs, which the thread that reads the event queue writes to;
     *     if it is freed before, the values are lost
     * @param context comes back in the event
     * @throws IllegalArgumentException if the count is not between 0 and 16,777,216, memory is on the heap, the results
     *     are read-only, or the addresses are not of this domain's format, all of one family
     * @throws IndexOutOfBoundsException if memory is too short for that many
     * @throws IllegalStateException if no event queue is bound, memory was freed, or the vector is bound to an endpoint
     *     that is not enabled, where the provider would crash (shm)
     * @throws WrongThreadException if the results are in memory that is confined to one thread, or the addresses in
     *     that of another
     * @throws UnsupportedOperationException if the provider only inserts at once, or the length of an address of this
     *     format is not known
     * @throws FabricException if the provider refuses to start it
     */
    void insertAsync(MemorySegment addresses, long count, MemorySegment results, long context);

    /**
     * Inserts the address of a node and service ({@code fi_av_insertsvc}).
     *
     * @param node host name or address
     * @param service port or service name
     * @return the value to send to
     * @throws IllegalArgumentException if the service is not a port where the provider looks up services of host names
     *     only (tcp, udp, rxm); if node or service is empty; if the node is an IPv4 address and the domain's are IPv6,
     *     where libfabric would cut all addresses of the vector
     * @throws IllegalStateException as for {@link #insert(byte[])}
     * @throws FabricException {@code FI_ENOENT} if the host or the service is not known ({@code FI_EINVAL} on sockets),
     *     or what else the provider answers
     */
    long insertService(String node, String service);

    /**
     * Inserts the addresses of numbered nodes and services ({@code fi_av_insertsym}): node10 and 2 mean node10 and
     * node11. IP addresses are counted as numbers: 10.0.0.255 is followed by 10.0.1.0, fd00::ff by fd00::100.
     *
     * @param node name or address of the first node
     * @param nodeCount how many nodes, at least 1
     * @param service port of the first service
     * @param serviceCount how many services on each node, at least 1; at most 1,024 addresses in all
     * @return the values, all services of the first node first
     * @throws IllegalArgumentException as for {@link #insertService}; if a number is less than 1, or they make more
     *     than 1,024 addresses
     * @throws IllegalStateException as for {@link #insert(byte[])}
     * @throws FabricException as for {@link #insertService}; {@code FI_EINVAL} if only some could be inserted
     */
    long[] insertSymmetric(String node, long nodeCount, String service, long serviceCount);

    /**
     * Removes addresses ({@code fi_av_remove}). No operation to them may be under way. Waits for sends that are in
     * progress; later sends to a removed address are refused.
     *
     * @param addresses values that an insertion gave
     * @throws IllegalArgumentException if one is not in the vector, or is named twice; none is removed then
     * @throws IllegalStateException if sets of the vector were opened, where libfabric itself does the collectives; or
     *     as for {@link #insert(byte[])}
     */
    void remove(long... addresses);

    /**
     * The network address behind a value ({@code fi_av_lookup}).
     *
     * @param address a value that an insertion gave
     * @return the address
     * @throws IllegalArgumentException if it is not in the vector
     * @throws FabricException from the provider: {@code udp;ofi_rxd} before 2.4 does not find the first of all
     */
    Address lookup(long address);

    /**
     * The provider's text for an address ({@code fi_av_straddr}).
     *
     * @param address an address of this domain's format
     * @return the text
     */
    String toText(Address address);

    /**
     * Lets asynchronous insertions report to an event queue ({@code fi_av_bind}).
     *
     * @param queue the queue
     * @return this
     * @deprecated as in libfabric 2: insert at once
     */
    @Deprecated
    AddressVector bind(EventQueue queue);

    /**
     * Chooses the value that completions report for a peer ({@code fi_av_set_user_id}, libfabric 1.20).
     *
     * @param address a value that an insertion gave
     * @param userId the value to report
     * @throws IllegalArgumentException if the address is not in the vector
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    void setUserId(long address, long userId);

    /**
     * Inserts an authorisation key ({@code fi_av_insert_auth_key}, libfabric 1.20).
     *
     * @param key the key
     * @return the value that stands for it
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    long insertAuthKey(byte[] key);

    /**
     * The authorisation key behind a value ({@code fi_av_lookup_auth_key}, libfabric 1.20).
     *
     * @param address a value that an insertion gave
     * @return the key
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    byte[] lookupAuthKey(long address);

    /**
     * The address of one receive context of a scalable endpoint ({@code fi_rx_addr}). Only that endpoint knows
     * how many there are, see {@link ScalableEndpoint}.
     *
     * @param address the endpoint's address
     * @param index number of the receive context
     * @param receiveContextBits what the vector was opened with
     * @return the value to send to
     */
    static long receiveContextAddress(long address, int index, int receiveContextBits) {
        return ComposedAddresses.ofReceiveContext(address, index, receiveContextBits);
    }

    /**
     * An address with a group id ({@code fi_group_addr}, libfabric 2.0). For native code: no provider of libfabric 2.1
     * has groups ({@link io.jfabric.info.DomainLimits#maxGroupId}), and jfabric sends to none of these values, as
     * providers would read beyond the vector.
     *
     * @param address an address
     * @param groupId the group
     * @return both in one value
     */
    static long groupAddress(long address, int groupId) {
        return ComposedAddresses.ofGroup(address, groupId);
    }
}
