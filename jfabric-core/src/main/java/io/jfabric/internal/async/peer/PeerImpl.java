// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.internal.async.flow.Counterpart;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Ended;
import io.jfabric.internal.async.future.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** {@link Peer}. */
public final class PeerImpl implements Peer, Counterpart {
    private final Node node;
    private final Peers peers;
    private final Endpoint endpoint;
    private final Address address;
    private final long fabricAddress;
    private final byte[] greeting;
    private final Lane transmits;
    private final Lane firstTransmits;
    private final Lane words;
    private final Lane receives;
    private final Requests requests;
    private final Ended ended;
    private final Set<Consumer<FabricException>> listeners = ConcurrentHashMap.newKeySet();
    private final Set<Object> users = ConcurrentHashMap.newKeySet();
    private volatile boolean open = true;
    private volatile FabricException whyEnded;
    private volatile boolean givenUp;
    private volatile boolean receivedFrom;
    /** Those who wait for the end are being told. */
    private volatile boolean over;

    /** With the greeting of a connection; null for a peer of a connectionless endpoint. */
    PeerImpl(Node node, Peers peers, Progress progress, Endpoint endpoint, Address address, long fabricAddress,
            byte[] greeting, Lane transmits, Lane firstTransmits, Lane words, Lane receives) {
        this.node = node;
        this.peers = peers;
        this.endpoint = endpoint;
        this.address = address;
        this.fabricAddress = fabricAddress;
        this.greeting = greeting;
        this.transmits = transmits;
        this.firstTransmits = firstTransmits;
        this.words = words;
        this.receives = receives;
        this.requests = new Requests(endpoint);
        this.ended = new Ended(progress, "Peer.ended");
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public long fabricAddress() {
        return fabricAddress;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public byte[] greeting() {
        return greeting == null ? new byte[0] : greeting.clone();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public boolean isConnection() {
        return greeting != null;
    }

    public Lane transmits() {
        return transmits;
    }

    /** For the node's own messages that do not wait for the program's; null for a connection. */
    public Lane firstTransmits() {
        return firstTransmits;
    }

    /** For notices of group members, apart so that heartbeats do not wait behind them; null for a connection. */
    public Lane words() {
        return words;
    }

    /** The connection's own lane, else the node's. */
    public Lane receives() {
        return receives;
    }

    /** For operations of several buffers. */
    public Requests requests() {
        return requests;
    }

    @Override
    public int underWay() {
        return transmits.underWay();
    }

    @Override
    public int waiting() {
        return transmits.waiting();
    }

    @Override
    public boolean isOpen() {
        return open && node.isOpen();
    }

    @Override
    public FabricException whyEnded() {
        return whyEnded;
    }

    /** Which of the node, this and the node's endpoint is closed; null if none is. */
    public String whatIsClosed() {
        return !node.isOpen() ? "node" : !open ? "peer" : !node.endpoint().isOpen() ? "node's endpoint" : null;
    }

    /** For operations: with a peer that has failed they start, and fail as if it had failed a moment later. */
    public void check(String what, Node user) {
        if (node != user) {
            throw new IllegalArgumentException(what + ": the peer " + this + " is another node's");
        }
        if (!open && whyEnded == null) {
            throw new IllegalStateException(what + ": the peer " + this + " is closed");
        }
    }

    /** Lets nothing more begin; returns whether it was open. */
    synchronized boolean shut(FabricException why) {
        boolean was = open;
        if (was) {
            // first: whoever finds it closed asks why
            whyEnded = why;
            open = false;
        }
        return was;
    }

    /** Tells those who wait for the end. */
    public void end(FabricException why) {
        over = true;
        List<Runnable> all = new ArrayList<>();
        // callers among them end for this reason, before the program hears of the end and closes them
        listeners.forEach(listener -> all.add(() -> tell(listener)));
        all.add(() -> ended.hand(null, why));
        // callbacks of one of these may wait for another
        Completing.runAll(all);
        // those that have come meanwhile
        listeners.forEach(this::tell);
    }

    private void tell(Consumer<FabricException> listener) {
        if (listeners.remove(listener)) {
            listener.accept(whyEnded);
        }
    }

    /** Tells a listener of the end once, maybe now, with null for an end by the program; it may be taken back. */
    public void onEnd(Consumer<FabricException> listener) {
        listeners.add(listener);
        if (over) {
            tell(listener);
        }
    }

    public void forgetEnd(Consumer<FabricException> listener) {
        listeners.remove(listener);
    }

    /** A user needs it for what it has sent, even after it was closed in order. */
    public void isNeededBy(Object user) {
        users.add(user);
    }

    public void isNotNeededBy(Object user) {
        users.remove(user);
    }

    public boolean isNeeded() {
        return receivedFrom || !users.isEmpty();
    }

    /** Somebody receives what only this peer sends, and may go on with that, one message after the other. */
    public void isReceivedFrom() {
        if (!receivedFrom) {
            receivedFrom = true;
        }
    }

    /** It says that it has given this node up, just before it ends for that reason. */
    public void givesUp() {
        givenUp = true;
    }

    /** Whether it has given this node up. */
    public boolean hasGivenUp() {
        return givenUp;
    }

    /** The peer is gone, as somebody has found out: all that is under way to it fails for this reason. */
    public void fail(FabricException why) {
        peers.end(this, why);
    }

    @Override
    public void close() {
        peers.end(this, null);
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
