// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.CmOps;
import io.jfabric.internal.ffi.FabricOps;
import io.jfabric.internal.ffi.FidOps;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.EndpointOption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** {@link PassiveEndpoint}. */
public final class PassiveEndpointImpl extends FidObject implements PassiveEndpoint {
    private final FabricState fabric;
    private final Naming naming;
    private boolean reported;
    private boolean listening;

    private PassiveEndpointImpl(FabricState fabric, long handle, FabricInfoImpl info) {
        super(fabric.object(), handle);
        this.fabric = fabric;
        this.naming = new Naming(this, info);
    }

    public static PassiveEndpointImpl open(FabricState fabric, FabricInfoImpl info) {
        long address = info.address();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_passive_ep", FabricOps.passiveEp(fabric.handle(), address, result.address(), 0),
                    "provider " + info.provider() + ", " + info.endpoint().type().nativeName());
            return new PassiveEndpointImpl(fabric, result.get(ValueLayout.JAVA_LONG, 0), info);
        }
    }

    @Override
    public Fabric fabric() {
        return fabric.fabric();
    }

    @Override
    public PassiveEndpointImpl bind(EventQueue queue) {
        EventQueueImpl queueImpl = (EventQueueImpl) queue;
        if (listening) {
            throw new IllegalStateException("fi_pep_bind: the endpoint listens already");
        }
        bindOnce("fi_pep_bind", queueImpl);
        reported = true;
        return this;
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
    public <V> V option(EndpointOption<V> option) {
        return naming.option(option);
    }

    @Override
    public <V> PassiveEndpointImpl setOption(EndpointOption<V> option, V value) {
        naming.setOption(option, value);
        return this;
    }

    @Override
    public PassiveEndpointImpl setBacklog(int requests) {
        if (requests < 0) {
            throw new IllegalArgumentException("setBacklog: " + requests + " is negative");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_INT, requests);
            check("fi_control(FI_BACKLOG)", FidOps.control(handle(), Libfabric.FI_BACKLOG(), value.address()),
                    "provider " + info().provider());
        }
        return this;
    }

    @Override
    public PassiveEndpointImpl setAddress(Address address) {
        if (reported) {
            throw new IllegalStateException("fi_setname: set the address before binding the event queue; on some "
                    + "providers the queue would not get the connection requests");
        }
        naming.setAddress(address);
        return this;
    }

    @Override
    public PassiveEndpointImpl listen() {
        long fid = handle();
        if (!reported) {
            throw new IllegalStateException("fi_listen: bind an event queue first, it reports connection requests");
        }
        if (listening) {
            throw new IllegalStateException("fi_listen: the endpoint listens already");
        }
        check("fi_listen", CmOps.listen(fid), "provider " + info().provider());
        listening = true;
        return this;
    }

    @Override
    public void abandon(FabricEvent.ConnectionRequest request) {
        if (Objects.requireNonNull(request, "fi_reject: the request is null").info() != null) {
            fabric.connectionRequests().abandon((FabricInfoImpl) request.info());
        }
    }

    @Override
    public void reject(FabricEvent.ConnectionRequest request, byte[] data) {
        long fid = handle();
        Objects.requireNonNull(request, "fi_reject: the request is null");
        if (request.endpoint() != this) {
            throw new IllegalArgumentException("fi_reject: the request came to " + request.endpoint() + ", not to "
                    + this);
        }
        if (request.info() == null) {
            throw new IllegalArgumentException("fi_reject: the request was only peeked at; poll() it first");
        }
        long handle = request.info().handle();
        try (Arena arena = Arena.ofConfined()) {
            ConnectionData parameter = ConnectionData.of("fi_reject", fid, data, arena);
            fabric.connectionRequests().reject((FabricInfoImpl) request.info());
            check("fi_reject", CmOps.reject(fid, handle, parameter.address, parameter.length),
                    "provider " + info().provider());
        }
        request.close();
    }

    @Override
    public String kind() {
        return "passive endpoint";
    }

    @Override
    public void closing() {
        fabric.connectionRequests().abandon(this);
    }

    @Override
    public void closed() {
        naming.close();
    }
}
