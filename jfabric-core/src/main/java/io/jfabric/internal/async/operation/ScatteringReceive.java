// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Endpoint;
import io.jfabric.Request;
import io.jfabric.TaggedRequest;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.async.peer.Requests;
import java.lang.foreign.MemorySegment;

/** A receive into several buffers, with a tag or without. */
final class ScatteringReceive extends Receive {
    private final Requests requests;
    private final MemorySegment[] buffers;

    ScatteringReceive(Common common, Lane lane, PeerImpl from, Endpoint endpoint, long deadline,
            MemorySegment[] buffers, boolean tagged, long tag, long ignore) {
        super(common, lane, from, endpoint, deadline, MemorySegment.NULL, 0, BufferList.length("receive", buffers),
                tagged, tag, ignore);
        this.requests = from != null && from.isConnection() ? from.requests() : common.requests();
        this.buffers = buffers;
    }

    @Override
    boolean post(long sender) {
        Requests.Kind kind = isTagged() ? Requests.Kind.TAGGED_RECEIVE : Requests.Kind.RECEIVE;
        Request<?> request = requests.take(kind).buffers(buffers).peer(sender);
        if (request instanceof TaggedRequest message) {
            message.tag(tag).ignore(ignore);
        }
        boolean taken = request.post(context);
        requests.give(kind, request);
        return taken;
    }

    @Override
    String into() {
        return " in " + buffers.length + " buffers";
    }
}
