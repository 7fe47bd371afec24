// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.connect;

import io.jfabric.EventQueue;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.PassiveEndpoint;
import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.NodeListener;
import io.jfabric.info.Address;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.future.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** {@link NodeListener}. */
public final class NodeListenerImpl implements NodeListener {
    /** The most offers that nobody has asked for yet: each has memory of the provider's and of libfabric's. */
    static final int MOST_OFFERS = 1024;

    private final Connections connections;
    private final Progress progress;
    private final PassiveEndpoint passive;
    /** Null until it listens. */
    private volatile Address address;
    private final Queue<NodeFuture<ConnectionOffer>> waiters = new ArrayDeque<>();
    private final Queue<ConnectionOfferImpl> offers = new ArrayDeque<>();
    private boolean closed;

    NodeListenerImpl(Connections connections, Progress progress, PassiveEndpoint passive) {
        this.connections = connections;
        this.progress = progress;
        this.passive = passive;
    }

    void listen(EventQueue events) {
        address = passive.bind(events).listen().address();
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public CompletableFuture<ConnectionOffer> next() {
        NodeFuture<ConnectionOffer> future = new NodeFuture<>(progress);
        ConnectionOfferImpl offer;
        synchronized (this) {
            offer = offers.poll();
            if (offer == null && !closed) {
                waiters.removeIf(CompletableFuture::isDone);
                waiters.add(future);
                return future;
            }
        }
        if (offer == null) {
            future.completeExceptionally(whyClosed());
        } else {
            future.complete(offer);
        }
        return future;
    }

    /** Somebody wants to connect. To be called outside of all locks. */
    void offer(ConnectionOfferImpl offer) {
        while (true) {
            NodeFuture<ConnectionOffer> waiter;
            synchronized (this) {
                waiter = closed ? null : waiters.poll();
                if (waiter == null && !closed && offers.size() < MOST_OFFERS) {
                    offers.add(offer);
                    return;
                }
            }
            if (waiter == null) {
                offer.close();
                return;
            }
            if (waiter.complete(offer)) {
                return;
            }
        }
    }

    @Override
    public void close() {
        if (!passive.isOpen()) {
            return;
        }
        closed();
        connections.closed(this, passive);
        passive.close();
    }

    /** Tells those who wait, and refuses those who want to connect. */
    void closed() {
        List<NodeFuture<ConnectionOffer>> all;
        List<ConnectionOfferImpl> unanswered;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(waiters);
            unanswered = new ArrayList<>(offers);
            waiters.clear();
            offers.clear();
        }
        List<Runnable> ends = new ArrayList<>();
        unanswered.forEach(offer -> ends.add(offer::close));
        // callbacks of one of these may wait for another
        all.forEach(waiter -> ends.add(() -> waiter.hand(null, whyClosed())));
        Completing.runAll(ends);
    }

    private FabricException whyClosed() {
        return FabricException.of("listener at " + address, FabricError.ECANCELED.code(), "it was closed");
    }

    @Override
    public String toString() {
        return "listener at " + address;
    }
}
