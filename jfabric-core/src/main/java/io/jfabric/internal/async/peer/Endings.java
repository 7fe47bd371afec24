// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.AddressVector;
import io.jfabric.FabricException;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Done;
import io.jfabric.internal.async.flow.Errors;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Operation;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How peers end: what waits for them and what is under way fails, others go on. */
final class Endings {
    private static final Logger LOG = LoggerFactory.getLogger("io.jfabric.async");

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

    /** From any thread that holds nothing; null for an end by the program. */
    void end(PeerImpl peer, FabricException why) {
        if (!peer.shut()) {
            return;
        }
        Done done = new Done();
        Function<Operation<?>, Throwable> reason = operation -> why == null ? Errors.closed(operation, "peer")
                : Errors.gone(operation, why);
        flow.fail(peer.transmits(), done, reason);
        if (peer.isConnection()) {
            flow.fail(peer.receives(), done, reason);
            closeEndpoint(peer);
            flow.failPosted(operation -> operation.isWith(peer), done, reason);
            peers.remove(peer);
        } else {
            peers.forget(peer);
            if (why != null) {
                flow.eachPosted(operation -> {
                    if (operation.isWith(peer)) {
                        operation.giveUp(reason.apply(operation));
                        operation.end(reason.apply(operation));
                    }
                });
            }
            drive.later(() -> removed(peer));
        }
        drive.complete(done.take());
        peer.end(why);
    }

    private static void closeEndpoint(PeerImpl peer) {
        try {
            peer.endpoint().shutdown();
        } catch (FabricException | IllegalStateException over) {
            LOG.debug("the connection with {} was over before it was shut down", peer, over);
        }
        try {
            peer.endpoint().close();
        } catch (FabricException | IllegalStateException refused) {
            LOG.warn("the endpoint of the connection with {} stays open until the node is closed", peer, refused);
        }
    }

    /** Takes the address out of the vector once nothing to it is under way. */
    private boolean removed(PeerImpl peer) {
        if (peer.underWay() > 0) {
            return false;
        }
        peers.remove(peer);
        try {
            vector.remove(peer.address());
        } catch (FabricException | IllegalStateException | IllegalArgumentException refused) {
            LOG.debug("the address of {} stays in the address vector", peer, refused);
        }
        return true;
    }
}
