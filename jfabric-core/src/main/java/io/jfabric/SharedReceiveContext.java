// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Memory;

/**
 * Receive buffers for several endpoints (fi_srx_context, fi_endpoint(3)): whichever gets a message takes the next
 * buffer. Bind it to endpoints that were opened with
 * {@code endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT)}; a receive completes in the completion queue of
 * the endpoint that got the message.
 *
 * <p>Threads: see {@link Endpoint}. Closed after the endpoints that use it, by the domain or by the application.
 */
public final class SharedReceiveContext implements AutoCloseable {
    private final Endpoint endpoint;

    private SharedReceiveContext(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    static SharedReceiveContext open(Domain domain, FabricInfo info) {
        domain.handle();
        String provider = String.valueOf(info.provider());
        if (provider.equals("shm") || provider.equals("sm2") || provider.endsWith("ofi_rxm")) {
            throw FabricException.of("fi_srx_context", Errno.ENOSYS, "provider " + provider
                    + " has it for combined providers only, and crashes without the queue that those bring");
        }
        long attr = Memory.getLong(info.address() + fi_info.rx_attr$offset());
        long handle = domain.open("fi_srx_context", (d, result) -> DomainOps.srxCtx(d, attr, result, 0));
        return new SharedReceiveContext(new Endpoint(domain, domain, handle, info,
                EndpointRole.SHARED_RECEIVE_CONTEXT));
    }

    /** The {@code fid_ep} behind it. */
    Endpoint endpoint() {
        return endpoint;
    }

    /**
     * Messages without tags; only the receives.
     *
     * @return the operations
     */
    public Messages messages() {
        return endpoint.messages();
    }

    /**
     * Tagged messages; only the receives.
     *
     * @return the operations
     */
    public TaggedMessages tagged() {
        return endpoint.tagged();
    }

    /**
     * Binds a counter of receives ({@code fi_ep_bind}).
     *
     * @param counter the counter
     * @return this
     */
    public SharedReceiveContext bind(Counter counter) {
        endpoint.bind(counter, BindFlag.RECV);
        return this;
    }

    /**
     * Puts the context into service ({@code fi_enable}), where the provider asks for that; most do not and answer
     * {@code FI_ENOSYS} or {@code FI_EINVAL}.
     *
     * @return this
     */
    public SharedReceiveContext enable() {
        endpoint.enable();
        return this;
    }

    /**
     * Cancels a receive, see {@link Endpoint#cancel}.
     *
     * @param context what it was posted with
     * @return false if no receive with this context is under way
     */
    public boolean cancel(long context) {
        return endpoint.cancel(context);
    }

    /**
     * The value of an option ({@code fi_getopt}).
     *
     * @param option the option
     * @param <V> the type of its values
     * @return the value
     */
    public <V> V option(EndpointOption<V> option) {
        return endpoint.option(option);
    }

    /**
     * Sets an option ({@code fi_setopt}).
     *
     * @param option the option
     * @param value the value
     * @param <V> the type of its values
     * @return this
     */
    public <V> SharedReceiveContext setOption(EndpointOption<V> option, V value) {
        endpoint.setOption(option, value);
        return this;
    }

    /**
     * Tells whether the context can be used.
     *
     * @return false once it is closed
     */
    public boolean isOpen() {
        return endpoint.isOpen();
    }

    /**
     * Closes the context ({@code fi_close}).
     *
     * @throws FabricException {@code FI_EBUSY} while endpoints use it; it then stays open
     */
    @Override
    public void close() {
        endpoint.close();
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
