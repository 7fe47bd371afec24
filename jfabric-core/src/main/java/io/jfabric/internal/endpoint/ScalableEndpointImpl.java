// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AddressVector;
import io.jfabric.Domain;
import io.jfabric.FabricException;
import io.jfabric.ScalableEndpoint;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.Address;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.connect.FabricState;
import io.jfabric.internal.connect.Naming;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.library.Signals;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.life.Turn;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.ops.EpOps;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.post.MultiReceiveGuard;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.EndpointOption;

/** {@link ScalableEndpoint}. */
public final class ScalableEndpointImpl extends FidObject implements ScalableEndpoint {
    private static final String KIND = "scalable endpoint";

    private final DomainState domain;
    private final Naming naming;
    private final FabricState fabric;
    private final EndpointImpl[] transmit;
    private final EndpointImpl[] receive;
    private volatile boolean enabled;
    private volatile boolean closes;

    private ScalableEndpointImpl(DomainState domain, FabricState fabric, long handle, FabricInfoImpl info) {
        super(domain.object(), handle);
        this.domain = domain;
        this.naming = new Naming(this, info);
        this.fabric = fabric;
        this.transmit = new EndpointImpl[contexts(info.endpoint().txContextCount())];
        this.receive = new EndpointImpl[contexts(info.endpoint().rxContextCount())];
    }

    // a shared context is not one of its own
    private static int contexts(long count) {
        return count < 0 ? 0 : Math.toIntExact(count);
    }

    public static ScalableEndpointImpl open(DomainState domain, FabricState fabric, FabricInfoImpl info) {
        if (info.endpoint().txContextCount() < 0 || info.endpoint().rxContextCount() < 0) {
            throw new IllegalArgumentException("fi_scalable_ep: a scalable endpoint has contexts of its own, no shared "
                    + "ones; set the context counts of endpoint() in the hints to numbers");
        }
        if (info.handle() != 0) {
            // a provider may free the connection together with the endpoint that accepts it
            throw new IllegalArgumentException("fi_scalable_ep: the info is that of a connection request: open an "
                    + "endpoint with openEndpoint");
        }
        return info.opening(KIND, copy -> {
            EndpointOpening.makeRoomForData(domain, copy);
            long address = copy.address();
            return Signals.keep(() -> domain.open("fi_scalable_ep", (d, result) ->
                    DomainOps.scalableEp(d, address, result, 0),
                    sep -> new ScalableEndpointImpl(domain, fabric, sep, copy)));
        });
    }

    @Override
    public Domain domain() {
        return domain.domain();
    }

    @Override
    public ScalableEndpointImpl bind(AddressVector vector) {
        bindOnce("fi_scalable_ep_bind", (AddressVectorImpl) vector);
        return this;
    }

    @Override
    public ScalableEndpointImpl enable() {
        Turn.locked(this, () -> {
            handle();
            if (enabled) {
                throw new IllegalStateException("fi_enable: the scalable endpoint is enabled already");
            }
            Readiness.checkVector(used(AddressVectorImpl.class) != null);
            check("fi_enable", Signals.keep(() -> call(sep -> FidOps.control(sep, Libfabric.FI_ENABLE(), 0))), null);
            enabled = true;
        });
        return this;
    }

    @Override
    public EndpointImpl transmitContext(int index) {
        return context(EndpointRole.TRANSMIT_CONTEXT, transmit, index);
    }

    @Override
    public EndpointImpl receiveContext(int index) {
        return context(EndpointRole.RECEIVE_CONTEXT, receive, index);
    }

    private EndpointImpl context(EndpointRole role, EndpointImpl[] contexts, int index) {
        handle();
        if (index < 0 || index >= contexts.length) {
            throw new IndexOutOfBoundsException("there is no " + role + " " + index + ", the info says "
                    + contexts.length + "; set the context counts of endpoint() in the hints");
        }
        synchronized (contexts) {
            if (contexts[index] == null || !contexts[index].isOpen()) {
                contexts[index] = Opening.of(this, role == EndpointRole.TRANSMIT_CONTEXT ? "fi_tx_context"
                        : "fi_rx_context", (sep, result) -> open(sep, role, index, result), made ->
                        new EndpointImpl(this, domain, fabric, made, info().kept(role.toString()), role),
                        "index " + index);
            }
            return contexts[index];
        }
    }

    private int open(long fid, EndpointRole role, int index, long result) {
        long address = info().address();
        return role == EndpointRole.TRANSMIT_CONTEXT
                ? EpOps.txCtx(fid, index, Memory.getLong(address + fi_info.tx_attr$offset()), result, 0)
                : EpOps.rxCtx(fid, index, Memory.getLong(address + fi_info.rx_attr$offset()), result, 0);
    }

    @Override
    public FabricInfoImpl info() {
        return naming.info();
    }

    @Override
    public Address address() {
        return naming.address();
    }

    @Override
    public ScalableEndpointImpl setAddress(Address address) {
        Turn.locked(this, () -> naming.setAddress(address, () -> {
            if (enabled) {
                throw new IllegalStateException("fi_setname: the scalable endpoint is enabled; set its address before");
            }
        }));
        return this;
    }

    @Override
    public <V> V option(EndpointOption<V> option) {
        return naming.option(option);
    }

    @Override
    public <V> ScalableEndpointImpl setOption(EndpointOption<V> option, V value) {
        MultiReceiveGuard.checkForAll(domain.quirks(), option);
        naming.setOption(option, value);
        return this;
    }

    /** All of it or nothing: one context that stayed open would keep the endpoint, and the provider all contexts. */
    @Override
    protected void checkClosable() {
        closes = false;
        domain.pendingTriggers().checkClosable(this);
        closes = true;
    }

    /** Whether a context may be closed now: the provider goes on using those that are gone. */
    void checkContextClosable() {
        if (!closes && domain.quirks().has(Quirk.SCALABLE_KEEPS_CONTEXTS)) {
            throw FabricException.of("fi_close(context)", Errno.EBUSY, "provider " + info().provider() + " goes on "
                    + "using a context that was closed: close the scalable endpoint, and its contexts with it");
        }
    }

    @Override
    protected void closed() {
        naming.close();
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    protected int closeRank() {
        return CloseRank.ENDPOINT;
    }
}
