// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.CmOps;
import io.jfabric.ffi.FabricOps;
import io.jfabric.ffi.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Listens for connections (fi_passive_ep, fi_endpoint(3)). Bind an event queue, call {@link #listen()}, and read
 * {@link FabricEvent.ConnectionRequest}s from the queue.
 *
 * <p>Thread-safe as far as the provider is. Closing it rejects requests that are not answered yet.
 */
public final class PassiveEndpoint extends NamedEndpoint<PassiveEndpoint> {
    private final Fabric fabric;
    private boolean reported;
    private boolean listening;

    private PassiveEndpoint(Fabric fabric, long handle, FabricInfo info) {
        super(fabric, handle, info);
        this.fabric = fabric;
    }

    static PassiveEndpoint open(Fabric fabric, FabricInfo info) {
        long address = info.address();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_passive_ep", FabricOps.passiveEp(fabric.handle(), address, result.address(), 0),
                    "provider " + info.provider() + ", " + info.endpoint().type().nativeName());
            return new PassiveEndpoint(fabric, result.get(ValueLayout.JAVA_LONG, 0), info);
        }
    }

    /**
     * The fabric this endpoint belongs to.
     *
     * @return the fabric
     */
    public Fabric fabric() {
        return fabric;
    }

    /**
     * Binds the event queue that gets the connection requests ({@code fi_pep_bind}).
     *
     * @param queue the queue
     * @return this
     */
    public PassiveEndpoint bind(EventQueue queue) {
        bindOnce("fi_pep_bind", queue);
        reported = true;
        return this;
    }

    /**
     * Sets how many connection requests may wait ({@code FI_BACKLOG}). Before {@link #listen()}.
     *
     * @param requests how many
     * @return this
     * @throws FabricException {@code FI_ENOSYS} where the provider has a fixed number
     */
    public PassiveEndpoint setBacklog(int requests) {
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

    /**
     * {@inheritDoc}
     *
     * <p>Before an event queue is bound, too: verbs takes another address with a new connection identifier, of which
     * the queue would not hear.
     *
     * @throws IllegalStateException if an event queue is bound
     */
    @Override
    public PassiveEndpoint setAddress(Address address) {
        if (reported) {
            throw new IllegalStateException("fi_setname: set the address before binding the event queue; on some "
                    + "providers the queue would not get the connection requests");
        }
        return super.setAddress(address);
    }

    /**
     * Begins to listen ({@code fi_listen}).
     *
     * @return this
     * @throws IllegalStateException if no event queue is bound, or it listens already
     */
    public PassiveEndpoint listen() {
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

    /** {@code fi_reject} */
    void reject(FabricEvent.ConnectionRequest request, byte[] data) {
        long fid = handle();
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
            fabric.connectionRequests().reject(request.info());
            check("fi_reject", CmOps.reject(fid, handle, parameter.address, parameter.length),
                    "provider " + info().provider());
        }
        request.close();
    }

    @Override
    String kind() {
        return "passive endpoint";
    }

    @Override
    void closing() {
        fabric.connectionRequests().abandon(this);
    }

    @Override
    PassiveEndpoint self() {
        return this;
    }
}
