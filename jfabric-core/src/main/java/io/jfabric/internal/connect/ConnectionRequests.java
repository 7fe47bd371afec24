// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.CmOps;
import io.jfabric.internal.quirk.Quirk;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The connection requests of a fabric that are not answered yet. With the answer libfabric frees what is behind the
 * handle in their infos, and it does not notice when that is used again: so only one answer gets through here. The
 * address of a freed handle may be another request's the next moment, so the infos carry an identity of our own.
 */
public final class ConnectionRequests {
    private final FidObject fabric;
    private final Map<Object, Open> open = new ConcurrentHashMap<>();
    /** Listeners that are closed, but not yet by the provider; by their addresses. */
    private final Set<Long> parked = ConcurrentHashMap.newKeySet();

    private record Open(long handle, PassiveEndpointImpl listener) {
    }

    /** Identifies a request: no two are equal. */
    private static final class Identity {
        final ConnectionRequests where;

        Identity(ConnectionRequests where) {
            this.where = where;
        }
    }

    public ConnectionRequests(FidObject fabric) {
        this.fabric = fabric;
    }

    /** To be called before anybody else has the info. */
    void add(FabricInfoImpl info, PassiveEndpointImpl listener) {
        Object request = new Identity(this);
        info.ofRequest(request);
        open.put(request, new Open(info.handle(), listener));
    }

    /**
     * Opens an endpoint from the info. If it is that of a request, no listener is closed meanwhile: if the endpoint
     * cannot be opened, its closer is to find the request, and refuse it.
     */
    public <T> T opening(FabricInfoImpl info, Supplier<T> opener) {
        if (info.handle() == 0) {
            return opener.get();
        }
        AtomicReference<T> opened = new AtomicReference<>();
        fabric.locked(() -> opened.set(openFrom(info, opener)));
        return opened.get();
    }

    private <T> T openFrom(FabricInfoImpl info, Supplier<T> opener) {
        Open answered = remove(info);
        if (answered == null) {
            checkHandle(info);
            return opener.get();
        }
        try {
            return opener.get();
        } catch (RuntimeException | Error e) {
            // it can still be rejected
            open.put(info.request(), answered);
            throw e;
        }
    }

    /** Of an info without an unanswered request: it must be that of a passive endpoint. */
    private void checkHandle(FabricInfoImpl info) {
        if (info.request() instanceof Identity other && other.where != this) {
            throw new IllegalArgumentException("fi_endpoint: the connection request of this info belongs to another "
                    + "fabric than the domain: open the endpoint in a domain of the fabric that has its passive "
                    + "endpoint");
        }
        if (!(fabric.find(info.handle()) instanceof PassiveEndpointImpl)) {
            throw answered();
        }
        if (info.quirks().has(Quirk.HANDLE_IS_REQUEST)) {
            throw FabricException.of("fi_endpoint", Errno.ENOSYS, "provider " + info.provider()
                    + " takes every handle for a connection request and would crash; set the source "
                    + "address instead of the passive endpoint");
        }
    }

    /** Whether the info is that of a request. */
    public boolean isRequest(FabricInfoImpl info) {
        return info.request() != null;
    }

    /** The request is about to be rejected. Returns its handle, even if the info is closed. */
    long reject(FabricInfoImpl info) {
        Open unanswered = remove(info);
        if (unanswered == null) {
            throw answered();
        }
        return unanswered.handle;
    }

    /** Rejects a request whose event is closed without an answer: the peer would wait forever. */
    public void abandon(FabricInfoImpl info) {
        Object request = info.request();
        if (request != null) {
            refuse(request, open.get(request));
        }
    }

    /** The listener is about to be closed. */
    public void abandon(PassiveEndpointImpl listener) {
        open.forEach((request, one) -> {
            if (one.listener == listener) {
                refuse(request, one);
            }
        });
    }

    private Open remove(FabricInfoImpl info) {
        Object request = info.request();
        return request == null ? null : open.remove(request);
    }

    /** The listener is closed, and requests to it may still come. */
    void refuseLater(long listener) {
        parked.add(listener);
    }

    /** The provider has closed the listener. */
    void refuseNoLonger(long listener) {
        parked.remove(listener);
    }

    /** Whether there may be requests to listeners that are closed. */
    boolean mayStillCome() {
        return !parked.isEmpty();
    }

    /** Rejects a request to a listener that is closed, whose peer would wait forever, and frees the info. */
    void refuse(long listener, FabricInfoImpl info) {
        if (parked.contains(listener)) {
            CmOps.reject(listener, info.handle(), 0, 0);
        }
        info.close();
    }

    /** The listener's closer finds the request in the map until it is answered. */
    private void refuse(Object request, Open one) {
        if (one != null && one.listener.isOpen()) {
            try {
                one.listener.call(fid -> open.remove(request, one) ? CmOps.reject(fid, one.handle, 0, 0) : 0);
            } catch (IllegalStateException closed) {
                // closed meanwhile; then it has refused all of its requests
            }
        }
    }

    private static IllegalStateException answered() {
        return new IllegalStateException("the connection request of this info is answered already: an endpoint was "
                + "opened from it, it was rejected or closed, or its passive endpoint is closed");
    }
}
