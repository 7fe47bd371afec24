// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.Endpoint;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.peer.PeerImpl;

/** An operation on one peer that has no result but that it is done. */
abstract class Transmit extends Operation<Void> {
    final Endpoint endpoint;
    final long to;

    Transmit(Drive drive, PeerImpl peer, long deadline) {
        this(drive, peer, peer.transmits(), deadline);
    }

    Transmit(Drive drive, PeerImpl peer, Lane lane, long deadline) {
        super(drive, lane, peer, deadline);
        endpoint = peer.endpoint();
        to = peer.fabricAddress();
    }

    @Override
    public final Endpoint endpoint() {
        return endpoint;
    }

    @Override
    protected final Void result(Completion completion) {
        return null;
    }
}
