// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.CmOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connection requests of a fabric that are not answered yet, by the handle in their infos. Libfabric frees what is
 * behind the handle with the answer, and does not notice when it is used again: only one answer gets through here.
 */
public final class ConnectionRequests {
    private final FidObject fabric;
    private final Map<Long, PassiveEndpointImpl> open = new ConcurrentHashMap<>();
    /** Listeners that are closed, but not yet for the provider, by their addresses. */
    private final Set<Long> parked = ConcurrentHashMap.newKeySet();

    public ConnectionRequests(FidObject fabric) {
        this.fabric = fabric;
    }

    public void add(FabricInfoImpl info, PassiveEndpointImpl listener) {
        open.put(info.handle(), listener);
    }

    /**
     * An endpoint is about to be opened from the info. Returns who got the request, null if the info is of no request.
     */
    public PassiveEndpointImpl claim(FabricInfoImpl info) {
        long handle = info.handle();
        if (handle == 0) {
            return null;
        }
        PassiveEndpointImpl listener = open.remove(handle);
        if (listener != null) {
            return listener;
        }
        if (!(fabric.find(handle) instanceof PassiveEndpointImpl)) {
            throw answered();
        }
        if (Quirks.of(info.provider()).has(Quirk.HANDLE_IS_REQUEST)) {
            throw FabricException.of("fi_endpoint", Errno.ENOSYS, "provider " + info.provider()
                    + " takes every handle for a connection request and would crash; set the source "
                    + "address instead of the passive endpoint");
        }
        return null;
    }

    /** The endpoint could not be opened: the request is still there to be rejected. */
    public void release(FabricInfoImpl info, PassiveEndpointImpl listener) {
        if (listener != null) {
            add(info, listener);
        }
    }

    /** Whether an endpoint with this info comes from a request. */
    public boolean isRequest(FabricInfoImpl info) {
        return info.handle() != 0 && !(fabric.find(info.handle()) instanceof PassiveEndpointImpl);
    }

    /** The request is about to be rejected. */
    public void reject(FabricInfoImpl info) {
        if (open.remove(info.handle()) == null) {
            throw answered();
        }
    }

    /** Rejects a request whose event is closed without an answer: the peer would wait for ever. */
    public void abandon(FabricInfoImpl info) {
        if (info.isOpen()) {
            refuse(info.handle(), open.remove(info.handle()));
        }
    }

    /** The listener is about to be closed. */
    public void abandon(PassiveEndpointImpl listener) {
        open.forEach((handle, at) -> {
            if (at == listener) {
                refuse(handle, open.remove(handle));
            }
        });
    }

    /** The listener is closed, and requests to it may still come. */
    void refuseLater(long listener) {
        parked.add(listener);
    }

    /** The provider has closed it. */
    void refuseNoLonger(long listener) {
        parked.remove(listener);
    }

    /** Answers a request to a listener that is closed: its peer would wait for ever. */
    void refuse(long listener, FabricInfoImpl info) {
        if (parked.contains(listener)) {
            CmOps.reject(listener, info.handle(), 0, 0);
        }
    }

    private static void refuse(long handle, PassiveEndpointImpl listener) {
        if (listener != null && listener.isOpen()) {
            try {
                listener.call(fid -> CmOps.reject(fid, handle, 0, 0));
            } catch (IllegalStateException closed) {
                // meanwhile; and it has refused all of its own
            }
        }
    }

    private static IllegalStateException answered() {
        return new IllegalStateException("the connection request of this info is answered already: an endpoint was "
                + "opened from it, it was rejected, or its passive endpoint is closed");
    }
}
