// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.connect.PassiveEndpointImpl;
import io.jfabric.option.EndpointOption;

/**
 * Listens for connections (fi_passive_ep, fi_endpoint(3)). Bind an event queue, call {@link #listen()}, and read
 * {@link FabricEvent.ConnectionRequest}s from the queue.
 *
 * <p>Thread-safe if the provider is. Closing it rejects requests that are not answered yet; those that nobody has read
 * may have to wait until the event queue is read or closed (tcp).
 */
public sealed interface PassiveEndpoint extends FabricObject permits PassiveEndpointImpl {
    /**
     * The fabric this endpoint belongs to.
     *
     * @return the fabric
     */
    Fabric fabric();

    /**
     * Binds the event queue that gets the connection requests ({@code fi_pep_bind}).
     *
     * @param queue the queue
     * @return this
     */
    PassiveEndpoint bind(EventQueue queue);

    /**
     * Sets how many connection requests may wait ({@code FI_BACKLOG}). Before {@link #listen()}.
     *
     * @param requests how many
     * @return this
     * @throws FabricException {@code FI_ENOSYS} where the provider has a fixed number
     */
    PassiveEndpoint setBacklog(int requests);

    /**
     * Gives the endpoint an address of the application's choice ({@code fi_setname}). Before it listens.
     *
     * <p>It must also come before an event queue is bound: verbs changes the address by making a new connection
     * identifier, which the queue would not know of.
     *
     * @param address the address
     * @return this
     * @throws IllegalStateException if an event queue is bound
     */
    PassiveEndpoint setAddress(Address address);

    /**
     * Begins to listen ({@code fi_listen}).
     *
     * @return this
     * @throws IllegalStateException if no event queue is bound, or it listens already
     * @throws FabricException what the provider says; on tcp {@code FI_EBADF} if neither the info has a source address
     *     nor {@link #setAddress} has given it one
     */
    PassiveEndpoint listen();

    /**
     * What the endpoint was opened with.
     *
     * @return a copy of the info, which lives as long as the endpoint and cannot be changed
     */
    FabricInfo info();

    /**
     * The endpoint's own address, for its peers ({@code fi_getname}). Complete once the endpoint listens.
     *
     * @return the address
     */
    Address address();

    /**
     * The value of an option ({@code fi_getopt}).
     *
     * @param option the option
     * @param <V> the type of its values
     * @return the value
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it
     * @throws IllegalStateException if the provider tells only once the endpoint is enabled (shm)
     */
    <V> V option(EndpointOption<V> option);

    /**
     * Sets an option ({@code fi_setopt}); many only before the endpoint is enabled.
     *
     * @param option the option
     * @param value the value
     * @param <V> the type of its values
     * @return this
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it, {@code FI_ENOSYS} if it has none
     *     that can be set (tcp, sockets)
     */
    <V> PassiveEndpoint setOption(EndpointOption<V> option, V value);
}
