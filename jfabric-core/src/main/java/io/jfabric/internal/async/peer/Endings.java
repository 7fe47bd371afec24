// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.AddressVector;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Counterpart;
import io.jfabric.internal.async.flow.Done;
import io.jfabric.internal.async.flow.Errors;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.GivingWay;
import io.jfabric.internal.life.Together;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ends peers: what waits for them or is under way with them fails, and everything else goes on. */
final class Endings {
    private static final Log LOG = Log.of(Node.class);

    private final Flow flow;
    private final Drive drive;
    private final Peers peers;
    private final AddressVector vector;

    Endings(Flow flow, Drive drive, Peers peers, AddressVector vector) {
        this.flow = flow;
        this.drive = drive;
        this.peers = peers;
        this.vector = vector;
    }

    /** The caller must hold no lock. The reason is null for an end by the program. */
    void end(PeerImpl peer, FabricException why) {
        if (peer.isConnection()) {
            endConnections(Collections.singletonMap(peer, why));
        } else if (peer.shut(why)) {
            Done done = new Done();
            Function<Operation<?>, Throwable> reason = operation -> Errors.ofPeer(operation, why);
            flow.fail(peer.transmits(), done, reason);
            flow.fail(peer.firstTransmits(), done, reason);
            flow.fail(peer.words(), done, reason);
            flow.fail(peer.receives(), operation -> operation.isWith(peer), done, reason);
            peers.forget(peer);
            List<Operation<?>> posted = posted(peer);
            if (why == null) {
                // what the program has sent goes on; nothing is received from a peer that it has closed
                posted.removeIf(operation -> !operation.receives());
            }
            // callbacks of one of these may wait for another
            Completing.runAll(List.of(() -> flow.giveUp(posted, reason, drive), () -> drive.complete(done.take()),
                    () -> peer.end(why)));
            List<Operation<?>> receives = posted.stream().filter(Operation::receives)
                    .collect(Collectors.toCollection(ArrayList::new));
            drive.later(() -> removed(peer, receives));
        }
    }

    /** All that the provider has, or is just being given: nothing more will come, as the lanes are closed. */
    private List<Operation<?>> posted(PeerImpl peer) {
        List<Operation<?>> posted = new ArrayList<>();
        for (int n = 1;; n++) {
            flow.eachPosted(operation -> {
                if (operation.isWith(peer)) {
                    posted.add(operation);
                }
            });
            // one that has its place in the lane may not have had its slot yet
            if (posted.stream().filter(operation -> !operation.receives()).count() >= underWay(peer)) {
                return posted;
            }
            posted.clear();
            GivingWay.giveWay(n);
        }
    }

    private static int underWay(PeerImpl peer) {
        return peer.transmits().underWay() + peer.firstTransmits().underWay() + peer.words().underWay();
    }

    /** As above, for many, each with its reason: what takes long with many connections is done once for all. */
    void endConnections(Map<PeerImpl, FabricException> all) {
        Map<Counterpart, FabricException> ended = new LinkedHashMap<>();
        all.forEach((peer, why) -> {
            if (peer.shut(why)) {
                ended.put(peer, why);
            }
        });
        if (ended.isEmpty()) {
            return;
        }
        List<PeerImpl> ends = all.keySet().stream().filter(ended::containsKey).toList();
        Done done = new Done();
        Function<Operation<?>, Throwable> reason = operation -> Errors.ofPeer(operation,
                ended.get(operation.peer()));
        for (PeerImpl peer : ends) {
            flow.fail(peer.transmits(), done, reason);
            flow.fail(peer.receives(), done, reason);
        }
        closeEndpoints(ends);
        flow.failPosted(operation -> operation.peer() != null && ended.containsKey(operation.peer()), done, reason);
        ends.forEach(peers::remove);
        List<Runnable> rest = new ArrayList<>();
        rest.add(() -> drive.complete(done.take()));
        ends.forEach(peer -> rest.add(() -> peer.end(ended.get(peer))));
        Completing.runAll(rest);
    }

    private static void closeEndpoints(List<PeerImpl> ends) {
        for (PeerImpl peer : ends) {
            try {
                peer.endpoint().shutdown();
            } catch (FabricException | IllegalStateException over) {
                LOG.debug("the connection with {} was over before it was shut down", peer, over);
            }
        }
        try {
            Together.close(ends.stream().map(peer -> (EndpointImpl) peer.endpoint()).toList(),
                    Endings::staysOpen);
        } catch (IllegalStateException refused) {
            ends.forEach(peer -> staysOpen(peer.endpoint(), refused));
        }
    }

    private static void staysOpen(Object endpoint, RuntimeException why) {
        LOG.warn("{} of a connection that has ended stays open until the node is closed", endpoint, why);
    }

    /**
     * Takes the address out of the vector once nothing is under way to it, nor any receive from it: the next peer may
     * get its number.
     */
    private boolean removed(PeerImpl peer, List<Operation<?>> receives) {
        receives.removeIf(operation -> !operation.isUnderWay());
        if (underWay(peer) > 0 || !receives.isEmpty()) {
            return false;
        }
        peers.remove(peer);
        if (peer.fabricAddress() == Address.NOT_AVAILABLE) {
            return true;
        }
        try {
            vector.remove(peer.fabricAddress());
        } catch (FabricException | IllegalStateException | IllegalArgumentException refused) {
            LOG.debug("the address of {} stays in the address vector", peer, refused);
        }
        return true;
    }
}
