// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.ffi.Log;

/** Peers that have themselves told a node the address at which to answer them. */
public final class Strangers {
    private static final Log LOG = Log.of(Node.class);

    private final NodeImpl node;
    private final Seldom refusals = new Seldom();

    private Strangers(NodeImpl node) {
        this.node = node;
    }

    /** Null if this is no address, or the provider refuses it, perhaps as it takes no more: then the log says so. */
    public static PeerImpl peer(NodeImpl node, byte[] address) {
        try {
            return node.peer(address);
        } catch (FabricException refused) {
            node.attached(Strangers.class, Strangers::new).refused(refused);
        } catch (RuntimeException noAddress) {
            // or the node is closed
        }
        return null;
    }

    /** Logs it, as nobody else hears of it. */
    private void refused(FabricException why) {
        int times = refusals.happened();
        if (times > 0) {
            LOG.warn("{}: who has written to it cannot be answered; calls of theirs end at their deadlines, and who "
                    + "watches it finds it dead: {}{}", node, why.getMessage(), Seldom.since(times));
        }
    }
}
