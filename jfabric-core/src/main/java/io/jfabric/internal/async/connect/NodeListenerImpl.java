// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.connect;

import io.jfabric.PassiveEndpoint;
import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.NodeListener;
import io.jfabric.info.Address;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Errors;
import io.jfabric.internal.async.future.NodeFuture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** {@link NodeListener}. */
public final class NodeListenerImpl implements NodeListener {
    private final Connections connections;
    private final Drive drive;
    private final PassiveEndpoint passive;
    private final Address address;
    private final Queue<NodeFuture<ConnectionOffer>> waiters = new ArrayDeque<>();
    private final Queue<ConnectionOfferImpl> offers = new ArrayDeque<>();
    private boolean closed;

    NodeListenerImpl(Connections connections, Drive drive, PassiveEndpoint passive, Address address) {
        this.connections = connections;
        this.drive = drive;
        this.passive = passive;
        this.address = address;
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public CompletableFuture<ConnectionOffer> next() {
        NodeFuture<ConnectionOffer> future = new NodeFuture<>(drive);
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
            future.completeExceptionally(Errors.closedListener(address));
        } else {
            future.complete(offer);
        }
        return future;
    }

    /** Somebody asks; outside of all locks. */
    void offer(ConnectionOfferImpl offer) {
        while (true) {
            NodeFuture<ConnectionOffer> waiter;
            synchronized (this) {
                waiter = closed ? null : waiters.poll();
                if (waiter == null && !closed) {
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
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        closed();
        connections.closed(this, passive);
        passive.close();
    }

    /** Tells all who wait, and answers all who asked. */
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
        unanswered.forEach(ConnectionOfferImpl::close);
        all.forEach(waiter -> waiter.completeExceptionally(Errors.closedListener(address)));
    }

    @Override
    public String toString() {
        return "listener at " + address;
    }
}
