// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Counter;
import io.jfabric.EscapeHatch;
import io.jfabric.FabricException;
import io.jfabric.MessageReceives;
import io.jfabric.SharedReceiveContext;
import io.jfabric.TaggedReceives;
import io.jfabric.bindings.fi_info;
import io.jfabric.internal.connect.FabricState;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.Facade;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.BindFlag;
import io.jfabric.option.EndpointOption;

/** {@link SharedReceiveContext}. */
public final class SharedReceiveContextImpl implements SharedReceiveContext, Facade {
    private final EndpointImpl endpoint;

    private SharedReceiveContextImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
        endpoint.state().shownAs(this);
    }

    public static SharedReceiveContextImpl open(DomainState domain, FabricState fabric, FabricInfoImpl info) {
        domain.handle();
        String provider = String.valueOf(info.provider());
        if (domain.quirks().has(Quirk.SHARED_RECEIVE_FOR_COMBINED)) {
            throw FabricException.of("fi_srx_context", Errno.ENOSYS, "provider " + provider
                    + " has it for combined providers only, and crashes without the queue that those bring");
        }
        return info.opening(EndpointRole.SHARED_RECEIVE_CONTEXT.toString(), copy -> {
            long attr = Memory.getLong(copy.address() + fi_info.rx_attr$offset());
            EndpointImpl endpoint = domain.open("fi_srx_context",
                    (d, result) -> DomainOps.srxCtx(d, attr, result, 0),
                    srx -> new EndpointImpl(domain.object(), domain, fabric, srx, copy,
                            EndpointRole.SHARED_RECEIVE_CONTEXT));
            try {
                // it need not be enabled to receive
                endpoint.state().multiReceives().checkDefault(endpoint.state().receiveFlags());
            } catch (FabricException unsafe) {
                endpoint.close();
                throw unsafe;
            }
            return new SharedReceiveContextImpl(endpoint);
        });
    }

    /** The {@code fid_ep} behind it. */
    public EndpointImpl endpoint() {
        return endpoint;
    }

    @Override
    public FidObject behind() {
        return endpoint;
    }

    @Override
    public MessageReceives messages() {
        return endpoint.messages();
    }

    @Override
    public TaggedReceives tagged() {
        return endpoint.tagged();
    }

    @Override
    public SharedReceiveContextImpl bind(Counter counter) {
        endpoint.bind(counter, BindFlag.RECV);
        return this;
    }

    @Override
    public SharedReceiveContextImpl enable() {
        endpoint.enable();
        return this;
    }

    @Override
    public boolean cancel(long context) {
        endpoint.handle();
        if (endpoint.isUsed()) {
            return endpoint.cancel(context);
        }
        if (endpoint.state().contexts().receives().find(context) != 0) {
            throw new IllegalStateException("fi_cancel: the provider looks for the receive in the queue of an endpoint "
                    + "that shares the context, and there is none: bind it to an endpoint, or close it");
        }
        return false;
    }

    @Override
    public <V> V option(EndpointOption<V> option) {
        return endpoint.option(option);
    }

    @Override
    public <V> SharedReceiveContextImpl setOption(EndpointOption<V> option, V value) {
        endpoint.setOption(option, value);
        return this;
    }

    @Override
    public boolean isOpen() {
        return endpoint.isOpen();
    }

    @Override
    public void close() {
        endpoint.close();
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }

    @Override
    public EscapeHatch escapeHatch() {
        return endpoint.escapeHatch();
    }
}
