// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.CmOps;
import io.jfabric.internal.quirk.AskingSocket;
import io.jfabric.internal.quirk.Quirk;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;

/**
 * The connection of an endpoint, and how far it has got. Providers take the order of steps for granted, and crash, or
 * close file descriptor 0, if it is not kept: so each step is checked against the state.
 */
public final class Connection {
    private enum State {
        IDLE, CALLING, CONNECTING, CONNECTED, DOWN
    }

    private final FabricInfoImpl info;
    private final boolean fromRequest;
    private final Runnable cancelReceives;
    private final Runnable checkReceives;
    private boolean reported;
    /** No message will come any more. */
    private volatile boolean silent;
    /** The endpoint, while it may be waiting for an answer; 0 where that needs no care. */
    private volatile long asking;
    /** Whoever reads the events changes it, too, and must not wait for a call. */
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

    /**
     * @param cancelReceives cancels receives for which no message has come yet, also those of an endpoint that is being
     *     closed
     * @param checkReceives has the next receives ask {@link #checkReceivable}
     */
    public Connection(FabricInfoImpl info, boolean fromRequest, Runnable cancelReceives, Runnable checkReceives) {
        this.info = info;
        this.fromRequest = fromRequest;
        this.cancelReceives = cancelReceives;
        this.checkReceives = checkReceives;
    }

    /** An event queue is bound. */
    public void reportsToQueue() {
        reported = true;
    }

    public boolean isReported() {
        return reported;
    }

    /** Whether the endpoint is for a connection that a peer has requested. */
    public boolean isFromRequest() {
        return fromRequest;
    }

    /** The event that the connection is there has been read. */
    public void established() {
        AskingSocket.answered(asking);
        if (!state.compareAndSet(State.CALLING, State.CONNECTED)) {
            state.compareAndSet(State.CONNECTING, State.CONNECTED);
        }
    }

    /** The event that it has ended has been read. */
    public void ended() {
        AskingSocket.answered(asking);
        state.set(State.DOWN);
    }

    /** As {@link #ended}; to be called outside of the event queue, where somebody may be closing the endpoint. */
    public void endedForReceives() {
        if (!info.quirks().has(Quirk.RECEIVES_OUTLIVE_CONNECTIONS)) {
            endReceives();
        }
    }

    /** The event that it was refused has been read. */
    public void refused() {
        AskingSocket.answered(asking);
        endReceives();
    }

    /** The endpoint is about to be closed. */
    public void closing() {
        AskingSocket.giveUp(asking);
    }

    /** No message that anybody wants comes any more. */
    private void endReceives() {
        silent = true;
        checkReceives.run();
        if (info.quirks().hasAny(Quirk.RECEIVES_OUTLIVE_CONNECTIONS, Quirk.ENDED_CONNECTIONS_TAKE_RECEIVES)) {
            cancelReceives.run();
        }
    }

    /** Whether receives are refused. */
    public boolean isSilent() {
        return silent;
    }

    /** Throws once no message will come: providers keep the receive, or are busy for ever. */
    public void checkReceivable(String operation) {
        if (silent) {
            throw FabricException.of(operation, Errno.ENOTCONN, "provider " + info.provider() + ": the connection has "
                    + "ended, or was refused, and nothing will arrive: close the endpoint, and open another one for "
                    + "another connection");
        }
    }

    public void connect(FidObject endpoint, Runnable enable, Address peer, byte[] data) {
        endpoint.fid();
        checkIdle("fi_connect");
        if (fromRequest) {
            throw new IllegalStateException("fi_connect: the endpoint was opened from a connection request: accept it");
        }
        enable.run();
        try (Arena arena = Arena.ofConfined()) {
            long address = Names.copy("fi_connect", info, peer, arena);
            checkFamily(endpoint, peer);
            attempt("fi_connect", endpoint, "provider " + info.provider() + ", peer " + peer, fid -> {
                ConnectionData parameter = ConnectionData.of("fi_connect", fid, data, arena);
                return ask(fid, () -> CmOps.connect(fid, address, parameter.address, parameter.length));
            });
        }
    }

    /** Known before the call: another thread may read the answer before it returns. */
    private int ask(long fid, IntSupplier call) {
        if (!info.quirks().has(Quirk.HALF_ANSWERS_BLOCK)) {
            return call.getAsInt();
        }
        asking = fid;
        AskingSocket.asks(fid);
        int result = call.getAsInt();
        if (result != 0) {
            AskingSocket.answered(fid);
        }
        return result;
    }

    public void accept(FidObject endpoint, Runnable enable, byte[] data) {
        endpoint.fid();
        checkIdle("fi_accept");
        if (!fromRequest) {
            throw new IllegalStateException("fi_accept: open the endpoint from the info of a ConnectionRequest");
        }
        enable.run();
        try (Arena arena = Arena.ofConfined()) {
            attempt("fi_accept", endpoint, "provider " + info.provider(), fid -> {
                ConnectionData parameter = ConnectionData.of("fi_accept", fid, data, arena);
                return CmOps.accept(fid, parameter.address, parameter.length);
            });
            if (!info.quirks().has(Quirk.ANSWERS_WHEN_READ)) {
                established();
            }
        }
    }

    /** By the endpoint's own address, as that may have been set. */
    private void checkFamily(FidObject endpoint, Address peer) {
        boolean one = info.quirks().has(Quirk.SOCKETS_OF_ONE_FAMILY);
        if (!peer.isInet() || !one && !info.quirks().has(Quirk.IPV4_NAMES_NOT_ANSWERED)) {
            return;
        }
        Address own = endpoint.call(fid -> Names.own(fid, info));
        if (own.isInet() && (one ? own.length() != peer.length() : own.length() < peer.length())) {
            throw new IllegalArgumentException("fi_connect: " + peer + " is of another address family than this "
                    + "endpoint, whose address is " + own + ": provider " + info.provider() + " cannot connect them; "
                    + "open the endpoint, or the node, from an info with the format of the listener's address");
        }
    }

    /** Another thread may read the resulting event before the call returns: so the state is changed before. */
    private void attempt(String operation, FidObject endpoint, String detail, LongFunction<Integer> call) {
        if (!state.compareAndSet(State.IDLE, State.CALLING)) {
            throw called(operation);
        }
        boolean begun = false;
        try {
            Results.check(operation, endpoint.call(call), detail);
            begun = true;
            state.compareAndSet(State.CALLING, State.CONNECTING);
        } finally {
            if (!begun) {
                // it may have ended meanwhile
                state.compareAndSet(State.CALLING, State.IDLE);
            }
        }
    }

    private void checkIdle(String operation) {
        if (info.endpoint().type() != EndpointType.MSG) {
            throw FabricException.of(operation, Errno.ENOSYS, "only endpoints of type FI_EP_MSG are connected, this is "
                    + info.endpoint().type().nativeName() + ": send to an address of an address vector");
        }
        if (!reported) {
            throw new IllegalStateException(operation + ": bind an event queue first, it reports the connection");
        }
        if (state.get() != State.IDLE) {
            throw called(operation);
        }
    }

    private static IllegalStateException called(String operation) {
        return new IllegalStateException(operation + ": already called; open a new endpoint for another attempt");
    }

    /** Throws before there is a connection. One that has ended fails operations by itself. */
    public void checkSendable() {
        State now = state.get();
        if (now == State.IDLE || now == State.CALLING || now == State.CONNECTING) {
            throw new IllegalStateException("the endpoint is not connected: send once the event queue has delivered "
                    + "FabricEvent.Connected");
        }
    }

    public void shutdown(FidObject endpoint) {
        endpoint.fid();
        switch (state.get()) {
            case IDLE, CALLING, CONNECTING -> throw new IllegalStateException("fi_shutdown: there is no connection, or "
                    + "its Connected event is not read yet; close the endpoint to give up");
            case CONNECTED -> {
                if (state.compareAndSet(State.CONNECTED, State.DOWN)
                        && !info.quirks().has(Quirk.SHUTDOWN_CLOSES_TWICE)) {
                    int result = endpoint.call(fid -> CmOps.shutdown(fid, 0));
                    if (result != -Errno.ENOTCONN) {
                        Results.check("fi_shutdown", result, null);
                    }
                }
            }
            // some providers would close a file descriptor that may be somebody else's by now
            case DOWN -> { }
        }
        endReceives();
    }

    public Address peer(long fid) {
        State now = state.get();
        // some providers have no address of the peer before they have a socket
        if (now == State.IDLE || now == State.CALLING) {
            throw new IllegalStateException("fi_getpeer: the endpoint is not connected");
        }
        return Names.peer(fid, info);
    }
}
