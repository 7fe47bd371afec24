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

/**
 * The connection requests of a fabric that are not answered yet. Libfabric frees what is behind the handle in their
 * infos with the answer, and does not notice when it is used again: only one answer gets through here. The address of
 * a handle that was freed may be another request's the next moment, so the infos carry an identity of ours.
 */
public final class ConnectionRequests {
    private final FidObject fabric;
    private final Map<Object, Open> open = new ConcurrentHashMap<>();
    /** Listeners that are closed, but not yet for the provider, by their addresses. */
    private final Set<Long> parked = ConcurrentHashMap.newKeySet();

    private record Open(long handle, PassiveEndpointImpl listener) {
    }

    /** Of one request: no two are equal. */
    private static final class Identity {
        final ConnectionRequests where;

        Identity(ConnectionRequests where) {
            this.where = where;
        }
    }

    public ConnectionRequests(FidObject fabric) {
        this.fabric = fabric;
    }

    /** Before anybody else has the info. */
    void add(FabricInfoImpl info, PassiveEndpointImpl listener) {
        Object request = new Identity(this);
        info.ofRequest(request);
        open.put(request, new Open(info.handle(), listener));
    }

    /**
     * An endpoint is about to be opened from the info. Returns who got the request, null if the info is of no request.
     */
    public PassiveEndpointImpl claim(FabricInfoImpl info) {
        long handle = info.handle();
        if (handle == 0) {
            return null;
        }
        Open answered = remove(info);
        if (answered != null) {
            return answered.listener;
        }
        if (info.request() instanceof Identity other && other.where != this) {
            throw new IllegalArgumentException("fi_endpoint: the connection request of this info belongs to another "
                    + "fabric than the domain: open the endpoint in a domain of the fabric that has its passive "
                    + "endpoint");
        }
        if (!(fabric.find(handle) instanceof PassiveEndpointImpl)) {
            throw answered();
        }
        if (info.quirks().has(Quirk.HANDLE_IS_REQUEST)) {
            throw FabricException.of("fi_endpoint", Errno.ENOSYS, "provider " + info.provider()
                    + " takes every handle for a connection request and would crash; set the source "
                    + "address instead of the passive endpoint");
        }
        return null;
    }

    /** The endpoint could not be opened: the request is still there to be rejected. */
    public void release(FabricInfoImpl info, PassiveEndpointImpl listener) {
        if (listener != null) {
            open.put(info.request(), new Open(info.handle(), listener));
        }
    }

    /** Whether an endpoint with this info comes from a request. */
    public boolean isRequest(FabricInfoImpl info) {
        return info.request() != null;
    }

    /** The request is about to be rejected. Returns its handle, also where the info is closed. */
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

    /** The provider has closed it. */
    void refuseNoLonger(long listener) {
        parked.remove(listener);
    }

    /** Whether there may be requests to listeners that are closed. */
    boolean mayStillCome() {
        return !parked.isEmpty();
    }

    /** Answers a request to a listener that is closed, whose peer would wait forever, and frees the info. */
    void refuse(long listener, FabricInfoImpl info) {
        if (parked.contains(listener)) {
            CmOps.reject(listener, info.handle(), 0, 0);
        }
        info.close();
    }

    /** Found there by its closer until it is answered. */
    private void refuse(Object request, Open one) {
        if (one != null && one.listener.isOpen()) {
            try {
                one.listener.call(fid -> open.remove(request, one) ? CmOps.reject(fid, one.handle, 0, 0) : 0);
            } catch (IllegalStateException closed) {
                // meanwhile; and it has refused all of its own
            }
        }
    }

    private static IllegalStateException answered() {
        return new IllegalStateException("the connection request of this info is answered already: an endpoint was "
                + "opened from it, it was rejected or closed, or its passive endpoint is closed");
    }
}
