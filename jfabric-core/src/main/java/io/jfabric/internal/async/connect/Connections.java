// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.connect;

import io.jfabric.Endpoint;
import io.jfabric.EventException;
import io.jfabric.FabricError;
import io.jfabric.FabricEvent;
import io.jfabric.FabricException;
import io.jfabric.PassiveEndpoint;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.drive.NodeParts;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Remaining;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.async.peer.Peers;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Log;
import io.jfabric.option.BindFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The connections of a node, from the first word to the last. Reads its event queue in the thread that polls. */
public final class Connections {
    private static final Log LOG = Log.of(Node.class);
    private static final int EVENTS = 16;
    /** Not read in each poll: some providers make as much progress in it as a poll, others ask the kernel. */
    private static final long PAUSE_NANOS = 20_000;
    /** The most connections to end together: others have to wait for them meanwhile. */
    private static final int TOGETHER = 64;

    private final Drive drive;
    private final Peers peers;
    private final NodeParts parts;
    private final Flow flow;
    private final long deadline;
    private final Map<Endpoint, Connecting> connecting = new ConcurrentHashMap<>();
    private final Map<Endpoint, PeerImpl> connected = new ConcurrentHashMap<>();
    private final Map<PassiveEndpoint, NodeListenerImpl> listeners = new ConcurrentHashMap<>();
    /** Connections that the other side has ended. */
    private final Queue<Lost> lost = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    /** When to read events again; for the thread that polls. */
    private long nextRead;

    private record Lost(PeerImpl peer, FabricException why) {
    }

    public Connections(NodeParts parts, Flow flow, Drive drive, Peers peers, long deadline) {
        this.drive = drive;
        this.peers = peers;
        this.parts = parts;
        this.flow = flow;
        this.deadline = deadline;
    }

    public void begin() {
        drive.later(this::look);
    }

    boolean isClosed() {
        return flow.isClosed();
    }

    /** If the node was closed meanwhile, says only that: any other failure would mean nothing to the program. */
    private <T> T unlessClosed(String what, Supplier<T> action) {
        try {
            return action.get();
        } catch (FabricException | IllegalStateException e) {
            if (flow.isClosed()) {
                throw new IllegalStateException(what + ": the node is closed", e);
            }
            throw e;
        }
    }

    public NodeListener listen(Address address) {
        return unlessClosed("Node.listen", () -> openListener(address));
    }

    private NodeListener openListener(Address address) {
        PassiveEndpoint passive = parts.fabric().openPassiveEndpoint(parts.info());
        try {
            if (address != null) {
                passive.setAddress(address);
            }
            NodeListenerImpl listener = new NodeListenerImpl(this, drive, passive);
            // before it listens: whoever asks at once must not be refused
            listeners.put(passive, listener);
            listener.listen(parts.events());
            if (flow.isClosed()) {
                // the node may have closed all others before this one was there
                listener.closed();
            }
            return listener;
        } catch (Throwable e) {
            listeners.remove(passive);
            passive.close();
            throw e;
        }
    }

    void closed(NodeListenerImpl listener, PassiveEndpoint passive) {
        listeners.remove(passive, listener);
    }

    public CompletableFuture<Peer> connect(Address where, byte[] data) {
        Objects.requireNonNull(where, "Node.connect: the address is null");
        Objects.requireNonNull(data, "Node.connect: the data is null");
        return unlessClosed("Node.connect", () -> openConnection(where, data));
    }

    private CompletableFuture<Peer> openConnection(Address where, byte[] data) {
        Endpoint endpoint;
        try (FabricInfo info = parts.info().duplicate()) {
            // any port: the one in the info may be a listener's
            endpoint = open(info.sourceAddress((Address) null));
        }
        return begin(endpoint, where, "Node.connect to " + where, null, () -> endpoint.connect(where, data));
    }

    CompletableFuture<Peer> accept(FabricEvent.ConnectionRequest request, byte[] data) {
        return unlessClosed("ConnectionOffer.accept", () -> {
            Endpoint endpoint = open(request.info());
            Address where = request.info().destinationAddress().orElse(null);
            return begin(endpoint, where, "ConnectionOffer.accept", request.data(), () -> endpoint.accept(data));
        });
    }

    private Endpoint open(FabricInfo info) {
        Endpoint endpoint = parts.domain().openEndpoint(info);
        try {
            return endpoint.bind(parts.queue(), BindFlag.TRANSMIT, BindFlag.RECV).bind(parts.events()).enable();
        } catch (Throwable e) {
            endpoint.close();
            throw e;
        }
    }

    private CompletableFuture<Peer> begin(Endpoint endpoint, Address where, String what, byte[] greeting,
            Runnable start) {
        Connecting future = new Connecting(drive, endpoint, where, Clock.after(deadline), what, greeting);
        connecting.put(endpoint, future);
        try {
            if (flow.isClosed()) {
                // the node may have failed all others before this one was there, and nobody makes progress any more
                throw new IllegalStateException("the node is closed");
            }
            start.run();
        } catch (FabricException refused) {
            connecting.remove(endpoint);
            endpoint.close();
            future.completeExceptionally(refused);
            return future;
        } catch (Throwable e) {
            connecting.remove(endpoint);
            endpoint.close();
            throw e;
        }
        future.asked = true;
        flow.note(future.deadline);
        drive.wake();
        return future;
    }

    /** A chore without end: reads events and looks for what is late; acts on it outside of the lock. */
    private boolean look() {
        long now = Clock.now();
        if (now < nextRead && connecting.isEmpty()) {
            return false;
        }
        try {
            readEvents();
        } finally {
            nextRead = now + PAUSE_NANOS;
            lookAtConnecting();
        }
        return false;
    }

    private void readEvents() {
        for (int i = 0; i < EVENTS; i++) {
            Optional<FabricEvent> event;
            try {
                event = parts.events().poll();
            } catch (EventException failure) {
                failed(failure);
                continue;
            }
            if (event.isEmpty()) {
                break;
            }
            happened(event.get());
        }
    }

    private void lookAtConnecting() {
        if (!connecting.isEmpty()) {
            long now = Clock.now();
            for (Connecting one : connecting.values()) {
                if (one.failure != null) {
                    if (one.asked) {
                        fail(one, one.refused(one.failure));
                    }
                } else if (one.isEstablished()) {
                    established(one);
                } else if (one.ended && one.asked) {
                    fail(one, ended(one.where));
                } else if (one.isDone() || one.deadline <= now) {
                    // the thread that asks may still be using the endpoint; {@code asked} tells when it is not
                    if (one.asked) {
                        fail(one, one.isDone() ? null : one.late());
                    }
                } else {
                    flow.note(one.deadline);
                }
            }
        }
    }

    private void happened(FabricEvent event) {
        switch (event) {
            case FabricEvent.ConnectionRequest request -> {
                NodeListenerImpl listener = request.endpoint() == null ? null : listeners.get(request.endpoint());
                if (listener == null) {
                    request.close();
                } else {
                    drive.afterwards(() -> listener.offer(new ConnectionOfferImpl(this, request)));
                }
            }
            case FabricEvent.Connected there -> {
                Connecting one = there.endpoint() == null ? null : connecting.get(there.endpoint());
                if (one != null) {
                    one.answer = there.data();
                } else {
                    LOG.debug("a connection that nobody waits for: {}, {}", there, connecting.keySet());
                }
            }
            case FabricEvent.Shutdown gone -> {
                PeerImpl peer = gone.endpoint() == null ? null : connected.get(gone.endpoint());
                Connecting early = gone.endpoint() == null ? null : connecting.get(gone.endpoint());
                if (peer != null) {
                    endedThere(peer);
                } else if (early != null) {
                    early.ended = true;
                }
            }
            default -> LOG.debug("an event that means nothing to a node: {}", event);
        }
    }

    private void established(Connecting one) {
        connecting.remove(one.endpoint);
        PeerImpl peer;
        try {
            peer = peers.connected(one.endpoint, one.where, one.greeting());
        } catch (FabricException | IllegalStateException over) {
            fail(one, over);
            return;
        }
        connected.put(one.endpoint, peer);
        peer.onEnd(why -> connected.remove(one.endpoint, peer));
        drive.afterwards(() -> {
            if (!one.complete(peer)) {
                // cancelled while the other side accepted
                peers.end(peer, null);
            }
        });
        if (one.ended) {
            endedThere(peer);
        }
    }

    /** The other side has ended it. */
    private void endedThere(PeerImpl peer) {
        drive.afterwards(() -> lost(peer, ended(peer.address())));
    }

    private void failed(EventException failure) {
        if (failure.source().orElse(null) instanceof Endpoint endpoint) {
            Connecting one = connecting.get(endpoint);
            PeerImpl peer = connected.get(endpoint);
            if (one != null) {
                one.failure = failure;
            } else if (peer != null) {
                drive.afterwards(() -> lost(peer, failure));
            } else {
                LOG.debug("an error of a connection that nobody has, of {}", endpoint, failure);
            }
        } else {
            LOG.debug("an event of something that is closed", failure);
        }
    }

    /** The endpoint is closed last: providers may block there. */
    private void fail(Connecting one, Throwable why) {
        connecting.remove(one.endpoint);
        if (why != null) {
            drive.afterwards(() -> one.completeExceptionally(why));
        }
        drive.afterwards(() -> close(one.endpoint));
    }

    private static void close(Endpoint endpoint) {
        try {
            endpoint.close();
        } catch (FabricException | IllegalStateException refused) {
            LOG.warn("an endpoint that was not connected stays open until the node is closed", refused);
        }
    }

    private static FabricException ended(Address peer) {
        return FabricException.of("connection with " + peer, FabricError.ECONNRESET.code(),
                "the other side has ended it");
    }

    /**
     * What has arrived before the end is delivered first. More ends may be found meanwhile: the thread that is at it
     * sees to them, too, so that calls do not nest; to many together, as each takes long.
     */
    private void lost(PeerImpl peer, FabricException why) {
        lost.add(new Lost(peer, why));
        if (ending.compareAndSet(false, true)) {
            Remaining.completeAll(this::endSome);
        }
    }

    /** Ends some; returns whether there may be more. If not, whoever finds the next one goes on. */
    private boolean endSome() {
        // in the list until they are ended: callbacks of what has arrived may wait for that
        List<Lost> known = lost.stream().limit(TOGETHER).toList();
        if (known.isEmpty()) {
            ending.set(false);
            return !lost.isEmpty() && ending.compareAndSet(false, true);
        }
        drive.catchUp();
        Map<PeerImpl, FabricException> ends = new LinkedHashMap<>();
        known.stream().filter(lost::remove).forEach(one -> ends.putIfAbsent(one.peer, one.why));
        if (!ends.isEmpty()) {
            Completing.runAll(List.of(() -> peers.end(ends)));
        }
        return true;
    }

    /** The node is closed: nobody will answer any more. */
    public void close() {
        List<Runnable> ends = new ArrayList<>();
        connecting.values().forEach(one -> ends.add(() -> one.hand(null,
                FabricException.of("connection", Errno.ECANCELED, "the node was closed"))));
        listeners.values().forEach(listener -> ends.add(listener::closed));
        connecting.clear();
        listeners.clear();
        // callbacks of one of these may wait for another
        Completing.runAll(ends);
    }
}
