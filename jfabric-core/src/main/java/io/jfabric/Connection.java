// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.CmOps;
import io.jfabric.ffi.Errno;
import io.jfabric.info.EndpointType;
import java.lang.foreign.Arena;
import java.util.function.LongSupplier;

/**
 * The connection of an endpoint, and how far it has got. Providers take much for granted here and crash, or close
 * file descriptor 0, where it is not so: each step is checked against the state.
 */
final class Connection {
    private enum State {
        IDLE, CONNECTING, CONNECTED, DOWN
    }

    private final FabricInfo info;
    private final boolean fromRequest;
    private boolean reported;
    private volatile State state = State.IDLE;

    Connection(FabricInfo info, boolean fromRequest) {
        this.info = info;
        this.fromRequest = fromRequest;
    }

    /** An event queue is bound. */
    void reportsToQueue() {
        reported = true;
    }

    boolean isReported() {
        return reported;
    }

    /** The event has been read. */
    void established() {
        if (state == State.CONNECTING) {
            state = State.CONNECTED;
        }
    }

    /** The event has been read. */
    void ended() {
        state = State.DOWN;
    }

    void connect(LongSupplier enabled, Address peer, byte[] data) {
        checkIdle("fi_connect");
        if (fromRequest) {
            throw new IllegalStateException("fi_connect: the endpoint was opened from a connection request: accept it");
        }
        long fid = enabled.getAsLong();
        try (Arena arena = Arena.ofConfined()) {
            long address = Names.copy("fi_connect", info, peer, arena);
            ConnectionData parameter = ConnectionData.of("fi_connect", fid, data, arena);
            FabricObject.check("fi_connect", CmOps.connect(fid, address, parameter.address, parameter.length),
                    "provider " + info.provider() + ", peer " + peer);
        }
        state = State.CONNECTING;
    }

    void accept(LongSupplier enabled, byte[] data) {
        checkIdle("fi_accept");
        if (!fromRequest) {
            throw new IllegalStateException("fi_accept: open the endpoint from the info of a ConnectionRequest");
        }
        long fid = enabled.getAsLong();
        try (Arena arena = Arena.ofConfined()) {
            ConnectionData parameter = ConnectionData.of("fi_accept", fid, data, arena);
            FabricObject.check("fi_accept", CmOps.accept(fid, parameter.address, parameter.length),
                    "provider " + info.provider());
        }
        state = State.CONNECTED;
    }

    private void checkIdle(String operation) {
        if (info.endpoint().type() != EndpointType.MSG) {
            throw FabricException.of(operation, Errno.ENOSYS, "only endpoints of type FI_EP_MSG are connected, this is "
                    + info.endpoint().type().nativeName() + ": send to an address of an address vector");
        }
        if (!reported) {
            throw new IllegalStateException(operation + ": bind an event queue first, it reports the connection");
        }
        if (state != State.IDLE) {
            throw new IllegalStateException(operation + ": already called; open a new endpoint for another attempt");
        }
    }

    /** A connection that has ended fails operations by itself. */
    void checkSendable() {
        if (state == State.IDLE || state == State.CONNECTING) {
            throw new IllegalStateException("the endpoint is not connected: send once the event queue has delivered "
                    + "FabricEvent.Connected");
        }
    }

    void shutdown(long fid) {
        switch (state) {
            case IDLE, CONNECTING -> throw new IllegalStateException("fi_shutdown: there is no connection, or its "
                    + "Connected event is not read yet; close the endpoint to give the attempt up");
            case CONNECTED -> {
                state = State.DOWN;
                int result = CmOps.shutdown(fid, 0);
                if (result != -Errno.ENOTCONN) {
                    FabricObject.check("fi_shutdown", result, null);
                }
            }
            // sockets would close a file descriptor that may be somebody else's by now
            case DOWN -> { }
        }
    }

    Address peer(long fid) {
        if (state == State.IDLE) {
            throw new IllegalStateException("fi_getpeer: the endpoint is not connected");
        }
        return Names.peer(fid, info);
    }
}
