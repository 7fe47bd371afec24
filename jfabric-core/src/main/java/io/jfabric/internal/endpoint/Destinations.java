// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.connect.Connection;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.Peers;
import io.jfabric.internal.quirk.guard.FetchGuard;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;

/**
 * The peers that an endpoint can send to, and receive from selectively. Providers read beyond their tables for an
 * address that is not in the address vector, and through null for a connection that is not there.
 */
final class Destinations implements Peers {
    private static final long ALL = -1;
    private static final long NONE = -2;

    private final EndpointImpl endpoint;
    /** The object that the address vector is bound to. */
    private final FidObject binder;
    private final boolean directed;
    /** Null where receives from any peer and from one may be mixed. */
    private final OneKind oneKind;
    /** Null with all providers but one. */
    private final FetchGuard fetchGuard;
    /** Whether plain operations are for groups: the provider takes all destinations for pointers then. */
    private final boolean toGroups;
    private final Set<Long> groups = ConcurrentHashMap.newKeySet();

    /**
     * For an endpoint that is a part or an alias of {@code whole}, or is that itself. Providers that share their
     * receive queues look at what the domain can do.
     */
    Destinations(EndpointImpl endpoint, FidObject whole, FabricInfo domain, FetchGuard fetchGuard) {
        this.endpoint = endpoint;
        // which may be an alias itself
        this.binder = whole instanceof EndpointImpl other && other != endpoint ? other.destinations().binder : whole;
        this.directed = isDirected(endpoint.info()) || isDirected(domain);
        this.oneKind = directed ? OneKind.of(endpoint, binder) : null;
        this.fetchGuard = fetchGuard;
        this.toGroups = endpoint.info().tx().operationFlags().contains(OperationFlag.MULTICAST);
    }

    private static boolean isDirected(FabricInfo info) {
        return info.capabilities().contains(Capability.DIRECTED_RECV)
                || info.rx().capabilities().contains(Capability.DIRECTED_RECV);
    }

    /** The connection has ended. */
    static void checkAgain(EndpointImpl whole) {
        whole.state().checkPeersAgain();
        whole.eachChild(child -> {
            if (child instanceof EndpointImpl alias) {
                alias.state().checkPeersAgain();
            }
        });
    }

    boolean hasVector() {
        return binder.used(AddressVectorImpl.class) != null;
    }

    @Override
    public void check(long peer) {
        if (endpoint.isConnected()) {
            connection().checkSendable();
            return;
        }
        AddressVectorImpl vector = binder.used(AddressVectorImpl.class);
        if (vector == null) {
            checkOpen();
            throw new IllegalStateException("the endpoint has no address vector: bind one before it is enabled");
        }
        if (toGroups) {
            checkGroup(peer);
        } else if (!vector.has(peer)) {
            checkOpen();
            if (vector.peerNames().isClosed(peer)) {
                throw FabricException.of("destination " + peer, FabricError.EHOSTDOWN.code(), "it is an endpoint of "
                        + "this process, which was closed");
            }
            throw new IllegalArgumentException("destination " + peer + " is not in the address vector of the "
                    + "endpoint: take what AddressVector.insert returned" + (groups.contains(peer)
                    ? ", or send to the multicast group by a request with the flag MULTICAST" : ""));
        }
    }

    /** That of the whole: an alias has none of its own. */
    private Connection connection() {
        return binder instanceof EndpointImpl whole ? whole.connection() : endpoint.connection();
    }

    /** Waits for a closer: another thread may be closing both, and then that is the real error. */
    private void checkOpen() {
        endpoint.call(fid -> fid);
    }

    /** Without DIRECTED_RECV nobody looks at it; with it, a provider may follow what it finds in the vector. */
    @Override
    public void checkSource(long peer, boolean tagged) {
        if (endpoint.isConnected()) {
            connection().checkReceivable(tagged ? "fi_trecv" : "fi_recv");
        }
        if (oneKind != null && !tagged) {
            oneKind.check(peer);
        }
        if (peer != Address.ANY) {
            checkSource(peer);
        }
    }

    private void checkSource(long peer) {
        AddressVectorImpl vector = directed && !endpoint.isConnected() ? binder.used(AddressVectorImpl.class) : null;
        if (vector != null && !vector.has(peer)) {
            checkOpen();
            throw new IllegalArgumentException("source " + peer + " is not in the address vector of the endpoint: "
                    + "take what AddressVector.insert returned, or Address.ANY");
        }
    }

    @Override
    public long sourceLimit(boolean tagged) {
        if (endpoint.isConnected() && connection().isSilent()) {
            return NONE;
        }
        return !directed ? ALL : oneKind == null || tagged ? vectorLimit() : NONE;
    }

    OneKind oneKind() {
        return oneKind;
    }

    @Override
    public long limit() {
        return fetchGuard == null && !toGroups ? vectorLimit() : 0;
    }

    private long vectorLimit() {
        if (endpoint.isConnected()) {
            return ALL;
        }
        AddressVectorImpl vector = ownVector();
        return vector == null ? 0 : vector.limit();
    }

    /** A removal resets the endpoint that the vector is bound to, not its parts: these have no limit. */
    private AddressVectorImpl ownVector() {
        return binder == endpoint ? binder.used(AddressVectorImpl.class) : null;
    }

    @Override
    public LongPredicate inVector() {
        return fetchGuard == null && !toGroups ? told() : null;
    }

    @Override
    public LongPredicate sourceInVector(boolean tagged) {
        return directed && (oneKind == null || tagged) ? told() : null;
    }

    private LongPredicate told() {
        AddressVectorImpl vector = endpoint.isConnected() ? null : binder.used(AddressVectorImpl.class);
        return vector == null ? null : binder == endpoint ? vector.aboveLimit() : vector.each();
    }

    @Override
    public FetchGuard fetchGuard() {
        return fetchGuard;
    }

    /** The peer is not in the vector any more, and its place may go to another one. */
    void removed(long peer) {
        if (fetchGuard != null) {
            fetchGuard.removed(peer);
        }
    }

    @Override
    public boolean mayFetch(String operation, long peer, boolean reports) {
        return fetchGuard == null || fetchGuard.mayFetch(operation, peer, reports);
    }

    void joined(long group) {
        groups.add(group);
    }

    void left(long group) {
        groups.remove(group);
    }

    @Override
    public boolean has(long peer) {
        if (endpoint.isConnected()) {
            return true;
        }
        AddressVectorImpl vector = binder.used(AddressVectorImpl.class);
        return toGroups ? hasGroup(peer) : vector != null && vector.knows(peer);
    }

    @Override
    public boolean hasSource(long peer) {
        return peer == Address.ANY || !directed || has(peer);
    }

    @Override
    public boolean hasGroup(long group) {
        return groups.contains(group);
    }

    @Override
    public void checkGroup(long peer) {
        if (!hasGroup(peer)) {
            throw new IllegalArgumentException("MULTICAST: the destination " + peer
                    + " is not the address() of an open MulticastGroup of this endpoint");
        }
    }
}
