// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.PassiveEndpoint;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.library.Signals;
import io.jfabric.internal.life.AddressSpace;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Neighbours;
import io.jfabric.internal.ops.CmOps;
import io.jfabric.internal.ops.FabricOps;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.quirk.AcceptingThreads;
import io.jfabric.internal.quirk.BindTrial;
import io.jfabric.internal.quirk.ListeningSocket;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.EndpointOption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/** {@link PassiveEndpoint}. */
public final class PassiveEndpointImpl extends FidObject implements PassiveEndpoint {
    private static final Log LOG = Log.of(PassiveEndpoint.class);
    private static final String KIND = "passive endpoint";

    private final FabricState fabric;
    private final Naming naming;
    /** Null if nothing uses the endpoint once it is closed. */
    private final Neighbours outlived;
    private final Quirks quirks;
    private boolean reported;
    private boolean listening;
    /** The provider has a socket at that address, which it remembers only once it listens. */
    private boolean named;
    /** An address was set: that of the info does not count. */
    private boolean addressed;
    /** An address was to be set, and could not be. */
    private boolean nameless;
    /** An endpoint has taken its socket. */
    private boolean taken;
    /** The queue that its requests are read from; known once it is being closed. */
    private EventQueueImpl events;
    private long parked;

    private PassiveEndpointImpl(FabricState fabric, long handle, FabricInfoImpl info) {
        super(fabric.object(), handle);
        this.fabric = fabric;
        this.naming = new Naming(this, info);
        this.quirks = fabric.quirks();
        this.outlived = quirks.has(Quirk.REQUESTS_OUTLIVE_LISTENERS) ? new Outlived() : null;
    }

    public static PassiveEndpointImpl open(FabricState fabric, FabricInfoImpl info) {
        return info.opening(KIND, copy -> {
            long address = copy.address();
            return fabric.open("fi_passive_ep", (f, result) -> FabricOps.passiveEp(f, address, result, 0),
                    pep -> new PassiveEndpointImpl(fabric, pep, copy), copy.endpoint().type().nativeName());
        });
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
            int result = call(fid -> FidOps.control(fid, Libfabric.FI_BACKLOG(), value.address()));
            check("fi_control(FI_BACKLOG)", result, "provider " + info().provider());
        }
        return this;
    }

    @Override
    public synchronized PassiveEndpointImpl setAddress(Address address) {
        try {
            name(address);
        } catch (FabricException e) {
            nameless = quirks.has(Quirk.LISTENERS_LEFT_BEHIND);
            throw e;
        }
        return this;
    }

    private void name(Address address) {
        naming.setAddress(address, () -> {
            if (reported) {
                throw new IllegalStateException("fi_setname: set the address before binding the event queue; on some "
                        + "providers the queue would not get the connection requests");
            }
            if (named || nameless) {
                throw new IllegalStateException("fi_setname: a passive endpoint of provider " + info().provider()
                        + " is given an address once only; open another one");
            }
        });
        named = quirks.has(Quirk.LISTENERS_LEFT_BEHIND);
        addressed = true;
    }

    @Override
    public synchronized PassiveEndpointImpl listen() {
        handle();
        if (!reported) {
            throw new IllegalStateException("fi_listen: bind an event queue first, it reports connection requests");
        }
        if (listening) {
            throw new IllegalStateException("fi_listen: the endpoint listens already");
        }
        if (taken) {
            throw new IllegalStateException("fi_listen: an endpoint that was opened from it has its socket; open "
                    + "another passive endpoint");
        }
        if (nameless) {
            throw new IllegalStateException("fi_listen: the address could not be set; open another passive endpoint");
        }
        if (!named && quirks.has(Quirk.LISTENERS_LEFT_BEHIND)) {
            info().sourceAddress().ifPresent(source -> BindTrial.checkListener("fi_listen", source));
        }
        boolean unheard = quirks.has(Quirk.SIGNALS_END_LISTENERS);
        // inside: nothing parks there, after which a virtual thread may be in another thread of the system
        int result = call(fid -> unheard ? Signals.unheard(() -> CmOps.listen(fid)) : CmOps.listen(fid));
        check("fi_listen", result, "provider " + info().provider() + (addressed || info().sourceAddress().isPresent()
                ? "" : "; the info has no source address: call setAddress before bind"));
        listening = true;
        if (quirks.has(Quirk.STRANGERS_STOP_PROGRESS)) {
            ListeningSocket.limitWaits(this::address);
        }
        return this;
    }

    /** For an endpoint that takes over its socket. Not if this one listens: nobody could connect to it any more. */
    public synchronized <T> T giveTo(Supplier<T> opener) {
        if (listening || taken) {
            throw new IllegalStateException("fi_endpoint: the passive endpoint " + (listening
                    ? "listens; an endpoint would take its socket, and nobody could connect to it any more"
                    : "has given its socket to another endpoint") + "; open a passive endpoint for this one");
        }
        T opened = opener.get();
        taken = true;
        return opened;
    }

    /** The event of a request is closed: rejects the request if no endpoint was opened from it. */
    void abandon(FabricInfoImpl request) {
        fabric.connectionRequests().abandon(request);
    }

    void reject(FabricInfoImpl request, byte[] data) {
        handle();
        if (request == null) {
            throw new IllegalArgumentException("fi_reject: the request was only peeked at; poll() it first");
        }
        try (Arena arena = Arena.ofConfined()) {
            int result = call(fid -> {
                ConnectionData parameter = ConnectionData.of("fi_reject", fid, data, arena);
                long handle = fabric.connectionRequests().reject(request);
                return CmOps.reject(fid, handle, parameter.address, parameter.length);
            });
            check("fi_reject", result, "provider " + info().provider());
        }
    }

    /** Checks whether so much data can go along with an answer, before anything is done that cannot be undone. */
    public void checkAnswer(String operation, byte[] data) {
        try (Arena arena = Arena.ofConfined()) {
            call(fid -> ConnectionData.of(operation, fid, data, arena));
        }
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    protected void closing() {
        if (named && !listening) {
            ListeningSocket.close(this::address);
        }
        events = used(EventQueueImpl.class);
        boolean forgets = listening && quirks.has(Quirk.UNREAD_REQUESTS_FORGOTTEN);
        if (forgets) {
            AcceptingThreads.settle(this::address);
            refuseUnread();
        }
        fabric.connectionRequests().abandon(this);
        if (forgets) {
            AcceptingThreads.settle(this::address);
        }
    }

    private void refuseUnread() {
        try {
            for (FabricInfoImpl request : events.takeRequests(fid())) {
                call(fid -> CmOps.reject(fid, request.handle(), 0, 0));
                request.close();
            }
        } catch (RuntimeException failed) {
            LOG.warn("{} is closed although requests to it could not be refused: who asked is not told", this, failed);
        }
    }

    @Override
    protected Neighbours neighbours() {
        return outlived;
    }

    /** Frees the port; connections that were accepted there are refused when their requests come. */
    @Override
    protected boolean parked(long fid) {
        parked = fid;
        fabric.connectionRequests().refuseLater(fid);
        try {
            Address here = Names.own(fid, info());
            // a socket with another number would leave its own in the queue, which is deaf to whatever gets that number
            // next
            if (!ListeningSocket.silence(here)) {
                Names.set(fid, info(), Address.of(new InetSocketAddress(here.toInetSocketAddress().getAddress(), 0)));
            }
        } catch (FabricException stays) {
            LOG.warn("a listener that is closed may keep its port until its event queue is closed, too", stays);
        }
        return true;
    }

    @Override
    protected void closed() {
        fabric.connectionRequests().refuseNoLonger(parked);
        naming.close();
    }

    /** Accepted connections refer to it for as long as somebody may read their requests. */
    private final class Outlived implements Neighbours {
        @Override
        public boolean isReferred() {
            return listening && events != null && events.isOpen();
        }

        @Override
        public boolean mustStay() {
            return false;
        }

        @Override
        public List<AddressSpace> memory() {
            return List.of();
        }
    }
}
