// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.connect;

import io.jfabric.FabricEvent;
import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Peer;
import io.jfabric.internal.connect.PassiveEndpointImpl;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@link ConnectionOffer}. */
public final class ConnectionOfferImpl implements ConnectionOffer {
    private final Connections connections;
    private final FabricEvent.ConnectionRequest request;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean closed;

    ConnectionOfferImpl(Connections connections, FabricEvent.ConnectionRequest request) {
        this.connections = connections;
        this.request = request;
    }

    @Override
    public byte[] data() {
        return request.data();
    }

    @Override
    public CompletableFuture<Peer> accept() {
        return accept(new byte[0]);
    }

    @Override
    public CompletableFuture<Peer> accept(byte[] data) {
        Objects.requireNonNull(data, "ConnectionOffer.accept: the data is null");
        answer("accept");
        try {
            checkData(data);
        } catch (RuntimeException tooMuch) {
            throw notAnswered("accept", tooMuch);
        }
        try (request) {
            return connections.accept(request, data);
        } catch (IllegalStateException over) {
            throw connections.isClosed() || request.endpoint().isOpen() ? over : listenerClosed("accept", over);
        }
    }

    private void checkData(byte[] data) {
        if (request.endpoint() instanceof PassiveEndpointImpl listener) {
            listener.checkAnswer("ConnectionOffer.accept", data);
        }
    }

    @Override
    public void reject() {
        reject(new byte[0]);
    }

    @Override
    public void reject(byte[] data) {
        Objects.requireNonNull(data, "ConnectionOffer.reject: the data is null");
        answer("reject");
        try {
            request.reject(data);
        } catch (RuntimeException notRejected) {
            throw notAnswered("reject", notRejected);
        }
    }

    /** Why: perhaps as the data is too long. Then it waits for another answer, unless it was closed meanwhile. */
    private RuntimeException notAnswered(String how, RuntimeException why) {
        if (why instanceof IllegalStateException && !request.endpoint().isOpen()) {
            request.close();
            return listenerClosed(how, why);
        }
        answered.set(false);
        if (closed) {
            close();
        }
        return why;
    }

    private static IllegalStateException listenerClosed(String how, Throwable why) {
        return new IllegalStateException("ConnectionOffer." + how + ": the offer was rejected when its listener was "
                + "closed; keep the listener open until offers are answered", why);
    }

    private void answer(String how) {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("ConnectionOffer." + how + ": the offer is answered already");
        }
        if (!request.endpoint().isOpen()) {
            request.close();
            throw listenerClosed(how, null);
        }
    }

    @Override
    public void close() {
        // first: an answer that is being refused looks at this last
        closed = true;
        if (answered.compareAndSet(false, true)) {
            request.close();
        }
    }

    @Override
    public String toString() {
        return "ConnectionOffer of " + request;
    }
}
