// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.CmOps;
import io.jfabric.ffi.Errno;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connection requests of a fabric that are not answered yet, by the handle in their infos. Libfabric frees what is
 * behind the handle with the answer, and does not notice when it is used again: only one answer gets through here.
 */
final class ConnectionRequests {
    private final Fabric fabric;
    private final Map<Long, PassiveEndpoint> open = new ConcurrentHashMap<>();

    ConnectionRequests(Fabric fabric) {
        this.fabric = fabric;
    }

    void add(FabricInfo info, PassiveEndpoint listener) {
        open.put(info.handle(), listener);
    }

    /**
     * An endpoint is about to be opened from the info. Returns who got the request, null if the info is of no request.
     */
    PassiveEndpoint claim(FabricInfo info) {
        long handle = info.handle();
        if (handle == 0) {
            return null;
        }
        PassiveEndpoint listener = open.remove(handle);
        if (listener != null) {
            return listener;
        }
        if (!(fabric.find(handle) instanceof PassiveEndpoint)) {
            throw answered();
        }
        if (info.provider().equals("sockets")) {
            throw FabricException.of("fi_endpoint", Errno.ENOSYS, "sockets takes every handle for a connection request "
                    + "and would crash; set the source address instead of the passive endpoint");
        }
        return null;
    }

    /** The endpoint could not be opened: the request is still there to be rejected. */
    void release(FabricInfo info, PassiveEndpoint listener) {
        if (listener != null) {
            add(info, listener);
        }
    }

    /** Whether an endpoint with this info comes from a request. */
    boolean isRequest(FabricInfo info) {
        return info.handle() != 0 && !(fabric.find(info.handle()) instanceof PassiveEndpoint);
    }

    /** The request is about to be rejected. */
    void reject(FabricInfo info) {
        if (open.remove(info.handle()) == null) {
            throw answered();
        }
    }

    /** Rejects a request whose event is closed without an answer: the peer would wait for ever. */
    void abandon(FabricInfo info) {
        if (info.isOpen()) {
            refuse(info.handle(), open.remove(info.handle()));
        }
    }

    /** The listener is about to be closed. */
    void abandon(PassiveEndpoint listener) {
        open.forEach((handle, at) -> {
            if (at == listener) {
                refuse(handle, open.remove(handle));
            }
        });
    }

    private static void refuse(long handle, PassiveEndpoint listener) {
        if (listener != null && listener.isOpen()) {
            CmOps.reject(listener.handle(), handle, 0, 0);
        }
    }

    private static IllegalStateException answered() {
        return new IllegalStateException("the connection request of this info is answered already: an endpoint was "
                + "opened from it, it was rejected, or its passive endpoint is closed");
    }
}
