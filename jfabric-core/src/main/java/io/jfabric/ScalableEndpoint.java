// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.endpoint.ScalableEndpointImpl;
import io.jfabric.option.EndpointOption;

/**
 * One address with several transmit and receive contexts, such as one of each per thread (fi_scalable_ep,
 * fi_endpoint(3)). How many there are is in the info it is opened with: {@code endpoint().txContextCount()} and
 * {@code rxContextCount()}.
 *
 * <p>Bind an address vector with enough {@code receiveContextBits}, enable it, then bind queues to each context and
 * enable that. A context is an {@link Endpoint} that only sends, or only receives. Peers send to one receive context
 * with {@link AddressVector#receiveContextAddress}, of those that the receiver has: on {@code sockets} a message to one
 * that is not there, or not enabled yet, keeps all later ones of its sender from being received. Opening contexts is
 * thread-safe; each context then belongs to a thread as an endpoint does.
 */
public sealed interface ScalableEndpoint extends FabricObject permits ScalableEndpointImpl {
    /**
     * The domain this endpoint belongs to.
     *
     * @return the domain
     */
    Domain domain();

    /**
     * Binds an address vector for all contexts ({@code fi_scalable_ep_bind}).
     *
     * @param vector the address vector
     * @return this
     */
    ScalableEndpoint bind(AddressVector vector);

    /**
     * Puts the endpoint into service ({@code fi_enable}); its contexts are enabled one by one.
     *
     * @return this
     * @throws IllegalStateException if it is enabled already
     */
    ScalableEndpoint enable();

    /**
     * A transmit context ({@code fi_tx_context}). Opened at the first call; bind its completion queue, then enable it.
     *
     * @param index below {@code info().endpoint().txContextCount()}
     * @return the same context for the same index while it is open
     */
    Endpoint transmitContext(int index);

    /**
     * A receive context ({@code fi_rx_context}). Opened at the first call; bind its completion queue, then enable it.
     *
     * @param index below {@code info().endpoint().rxContextCount()}
     * @return the same context for the same index while it is open
     */
    Endpoint receiveContext(int index);

    /**
     * What the endpoint was opened with.
     *
     * @return a copy of the info, which lives as long as the endpoint and cannot be changed
     */
    FabricInfo info();

    /**
     * The endpoint's own address, for its peers ({@code fi_getname}). Complete once the endpoint is enabled.
     *
     * @return the address
     */
    Address address();

    /**
     * Gives the endpoint an address of the application's choice ({@code fi_setname}). Before it is enabled or asked for
     * its address.
     *
     * @param address an address of this side; port 0 for any port
     * @return this
     * @throws IllegalStateException if the endpoint is enabled
     */
    ScalableEndpoint setAddress(Address address);

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
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it; {@code FI_EOPNOTSUPP} if it has
     *     to be set of each receive context ({@link EndpointOption#MIN_MULTI_RECV} on {@code sockets})
     */
    <V> ScalableEndpoint setOption(EndpointOption<V> option, V value);
}
