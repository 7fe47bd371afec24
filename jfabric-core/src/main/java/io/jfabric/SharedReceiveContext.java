// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.SharedReceiveContextImpl;
import io.jfabric.option.EndpointOption;

/**
 * Receive buffers for several endpoints (fi_srx_context, fi_endpoint(3)): whichever gets a message takes the next
 * buffer. Bind it to endpoints that were opened with
 * {@code endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT)}; a receive completes in the completion queue of
 * the endpoint that got the message. So each endpoint needs one for receives, without {@code SELECTIVE_COMPLETION}.
 *
 * <p>Threads: see {@link Endpoint}. Closed after the endpoints that use it, by the domain or by the application.
 */
public sealed interface SharedReceiveContext extends FabricObject permits SharedReceiveContextImpl {
    /**
     * Receives of messages without tags.
     *
     * @return the operations
     */
    MessageReceives messages();

    /**
     * Receives of tagged messages.
     *
     * @return the operations
     */
    TaggedReceives tagged();

    /**
     * Binds a counter of receives ({@code fi_ep_bind}).
     *
     * @param counter the counter
     * @return this
     * @throws IllegalStateException if it has one already
     * @throws FabricException {@code FI_ENOSYS} or {@code FI_EINVAL} where the provider counts for endpoints alone, as
     *     {@code tcp} does: bind a counter for {@code RECV} to each
     */
    SharedReceiveContext bind(Counter counter);

    /**
     * Puts the context into service ({@code fi_enable}), where the provider asks for that; most do not and answer
     * {@code FI_ENOSYS} or {@code FI_EINVAL}.
     *
     * @return this
     */
    SharedReceiveContext enable();

    /**
     * Cancels a receive, see {@link Endpoint#cancel}. On {@code sockets}, which has no queue to report that to, the
     * receive is over when this returns, without a completion.
     *
     * @param context what it was posted with
     * @return false if no receive with this context is under way
     * @throws FabricException {@code FI_ENOSYS} where the provider crashes instead
     */
    boolean cancel(long context);

    /**
     * The value of an option ({@code fi_getopt}).
     *
     * @param option the option
     * @param <V> the type of its values
     * @return the value
     */
    <V> V option(EndpointOption<V> option);

    /**
     * Sets an option ({@code fi_setopt}).
     *
     * @param option the option
     * @param value the value
     * @param <V> the type of its values
     * @return this
     */
    <V> SharedReceiveContext setOption(EndpointOption<V> option, V value);

    /**
     * Tells whether the context can be used.
     *
     * @return false once it is closed
     */
    boolean isOpen();

    /**
     * Closes the context ({@code fi_close}).
     *
     * @throws FabricException {@code FI_EBUSY} while endpoints use it; it then stays open
     */
    @Override
    void close();
}
