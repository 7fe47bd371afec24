// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.EpOps;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.Signals;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One address with several transmit and receive contexts, such as one of each per thread (fi_scalable_ep,
 * fi_endpoint(3)). How many there are is in the info it is opened with: {@code endpoint().txContextCount()} and
 * {@code rxContextCount()}.
 *
 * <p>Bind an address vector with enough {@code receiveContextBits}, enable it, then bind queues to each context and
 * enable that. A context is an {@link Endpoint} that only sends, or only receives. Peers send to one receive context
 * with {@link AddressVector#receiveContextAddress}. Opening contexts is thread-safe; each context then belongs to a
 * thread as an endpoint does.
 */
public final class ScalableEndpoint extends NamedEndpoint<ScalableEndpoint> {
    private final Domain domain;
    private final Endpoint[] transmit;
    private final Endpoint[] receive;

    private ScalableEndpoint(Domain domain, long handle, FabricInfo info) {
        super(domain, handle, info);
        this.domain = domain;
        this.transmit = new Endpoint[contexts(info.endpoint().txContextCount())];
        this.receive = new Endpoint[contexts(info.endpoint().rxContextCount())];
    }

    // A shared context is none of its own
    private static int contexts(long count) {
        return count < 0 ? 0 : Math.toIntExact(count);
    }

    static ScalableEndpoint open(Domain domain, FabricInfo info) {
        long address = info.address();
        return new ScalableEndpoint(domain, Signals.keep(() -> domain.open("fi_scalable_ep", (d, result) ->
                DomainOps.scalableEp(d, address, result, 0))), info);
    }

    /**
     * The domain this endpoint belongs to.
     *
     * @return the domain
     */
    public Domain domain() {
        return domain;
    }

    /**
     * Binds an address vector for all contexts ({@code fi_scalable_ep_bind}).
     *
     * @param vector the address vector
     * @return this
     */
    public ScalableEndpoint bind(AddressVector vector) {
        bindOnce("fi_scalable_ep_bind", vector);
        return this;
    }

    /**
     * Puts the endpoint into service ({@code fi_enable}); its contexts are enabled one by one.
     *
     * @return this
     */
    public ScalableEndpoint enable() {
        check("fi_enable", Signals.keep(() -> FidOps.control(handle(), Libfabric.FI_ENABLE(), 0)), null);
        return this;
    }

    /**
     * A transmit context ({@code fi_tx_context}). Opened at the first call; bind its completion queue, then enable it.
     *
     * @param index below {@code info().endpoint().txContextCount()}
     * @return the same context for the same index while it is open
     */
    public Endpoint transmitContext(int index) {
        return context(EndpointRole.TRANSMIT_CONTEXT, transmit, index);
    }

    /**
     * A receive context ({@code fi_rx_context}). Opened at the first call; bind its completion queue, then enable it.
     *
     * @param index below {@code info().endpoint().rxContextCount()}
     * @return the same context for the same index while it is open
     */
    public Endpoint receiveContext(int index) {
        return context(EndpointRole.RECEIVE_CONTEXT, receive, index);
    }

    private Endpoint context(EndpointRole role, Endpoint[] contexts, int index) {
        long fid = handle();
        if (index < 0 || index >= contexts.length) {
            throw new IndexOutOfBoundsException("there is no " + role + " " + index + ", the info says "
                    + contexts.length + "; set the context counts of endpoint() in the hints");
        }
        synchronized (contexts) {
            if (contexts[index] == null || !contexts[index].isOpen()) {
                contexts[index] = new Endpoint(this, domain, open(fid, role, index), info(), role);
            }
            return contexts[index];
        }
    }

    private long open(long fid, EndpointRole role, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            if (role == EndpointRole.TRANSMIT_CONTEXT) {
                long attr = Memory.getLong(info().address() + fi_info.tx_attr$offset());
                check("fi_tx_context", EpOps.txCtx(fid, index, attr, result.address(), 0), "index " + index);
            } else {
                long attr = Memory.getLong(info().address() + fi_info.rx_attr$offset());
                check("fi_rx_context", EpOps.rxCtx(fid, index, attr, result.address(), 0), "index " + index);
            }
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    @Override
    ScalableEndpoint self() {
        return this;
    }

    @Override
    String kind() {
        return "scalable endpoint";
    }

    @Override
    int closeRank() {
        return CloseRank.ENDPOINT;
    }
}
