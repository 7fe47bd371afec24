// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.AddressVector;
import io.jfabric.Endpoint;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.alive.SidePlaces.Place;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A second endpoint of a node, for heartbeats alone: where messages that nobody receives stop a connection, heartbeats
 * get past them over one of their own. The node keeps it from its first keep-alive until it is closed. Any thread.
 */
final class SideWay {
    private static final Log LOG = Log.of(Node.class);

    private final Endpoint endpoint;
    private final AddressVector vector;
    private final SidePlaces places;
    private final Address address;
    /** The side endpoints of peers, as told by the peers themselves in their answers. */
    private final Map<PeerImpl, Place> known = new ConcurrentHashMap<>();
    /** Where questions over the side way ask to be answered. Anybody can state that: so only one for each peer. */
    private final Map<PeerImpl, Place> stated = new ConcurrentHashMap<>();

    private SideWay(Endpoint endpoint, AddressVector vector) {
        this.endpoint = endpoint;
        this.vector = vector;
        this.places = new SidePlaces(endpoint, vector);
        this.address = endpoint.address();
    }

    /** Null if it is not needed, or cannot be had. */
    static SideWay of(NodeImpl node) {
        return Quirks.of(node.info().provider()).has(Quirk.UNASKED_STOP_CONNECTIONS)
                && node.info().tx().injectSize() >= Beat.HEADER + 2L * node.address().length()
                ? node.attached(Attempt.class, opened -> new Attempt(open(opened))).side : null;
    }

    /** Opening it is tried once for each node: null if it cannot be had. */
    private record Attempt(SideWay side) {
    }

    private static SideWay open(NodeImpl node) {
        AddressVector vector = null;
        Endpoint endpoint = null;
        try (FabricInfo info = node.endpoint().info().duplicate()) {
            if (node.address().isInet()) {
                info.sourceAddress(onAnyPort(node.address()));
            }
            vector = kept(node.domain().openAddressVector());
            endpoint = kept(node.domain().openEndpoint(info));
            endpoint.bind(vector).bind(node.completionQueue(), BindFlag.TRANSMIT, BindFlag.RECV).enable();
            return new SideWay(endpoint, vector);
        } catch (RuntimeException cannot) {
            LOG.warn("{} looks dead to those that watch it, and they to it, while messages wait for their receives: "
                    + "there is no second endpoint for keep-alive: {}", node, cannot.toString());
            close(endpoint, vector);
            return null;
        } catch (Error noMemory) {
            close(endpoint, vector);
            throw noMemory;
        }
    }

    /** Keeps the program from closing it. */
    private static <T> T kept(T part) {
        FidObject object = (FidObject) part;
        object.entry().keep("the " + object.kind() + " is of a node's keep-alive: it is closed with the node, by "
                + "Node.close");
        return part;
    }

    private static void close(Object... parts) {
        for (Object part : parts) {
            try {
                if (part != null) {
                    ((FidObject) part).entry().keep(null);
                    ((FidObject) part).close();
                }
            } catch (RuntimeException notClosed) {
                LOG.debug("{} stays open until its node is closed", part, notClosed);
            }
        }
    }

    private static Address onAnyPort(Address address) {
        byte[] bytes = address.bytes();
        bytes[2] = 0;
        bytes[3] = 0;
        return Address.ofCode(address.formatCode(), bytes);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    AddressVector vector() {
        return vector;
    }

    /** The address of this node's side endpoint. */
    byte[] address() {
        return address.bytes();
    }

    /** The peer has said where its side endpoint is, in an answer that only the peer itself can give. */
    void learn(PeerImpl peer, byte[] where) {
        if (where.length > 0) {
            place(known, peer, where);
        }
    }

    /** The peer's side endpoint; null if the peer has not told it. */
    Place find(PeerImpl peer) {
        return known.get(peer);
    }

    /** Where to answer a question over the side way that claims to be the peer's; null if that is impossible. */
    Place toAnswer(PeerImpl peer, byte[] where) {
        return place(stated, peer, where);
    }

    /** Whether somebody claiming to be that peer has asked over the side way. */
    boolean isAskedBy(PeerImpl peer) {
        return stated.containsKey(peer);
    }

    /** That of the peer from now on; the one before is not the peer's any more. */
    private Place place(Map<PeerImpl, Place> all, PeerImpl peer, byte[] where) {
        Address at;
        try {
            at = Address.ofCode(address.formatCode(), where);
        } catch (RuntimeException noAddress) {
            return null;
        }
        Place last = all.get(peer);
        if (last != null && last.where().equals(at)) {
            return last;
        }
        Place taken = places.take(at);
        if (taken == null) {
            return null;
        }
        Place other = all.put(peer, taken);
        if (other != null) {
            places.release(other);
        } else {
            peer.onEnd(ended -> forget(all, peer));
        }
        return taken;
    }

    private void forget(Map<PeerImpl, Place> all, PeerImpl peer) {
        Place last = all.remove(peer);
        if (last != null) {
            places.release(last);
        }
    }
}
