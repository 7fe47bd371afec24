// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.TaggedRequest;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A message of the node's own that is done when the other side has received it: the node may be closed then. */
public final class DeliveredSend extends Message {
    private final MemorySegment buffer;
    private final long tag;
    /** The request for which the provider was too busy; null if there is none. */
    private TaggedRequest request;

    public DeliveredSend(Drive drive, PeerImpl peer, Lane lane, long deadline, MemorySegment buffer, long tag) {
        super(drive, peer, lane, deadline, buffer.byteSize());
        this.buffer = buffer;
        this.tag = tag;
    }

    @Override
    protected boolean isTagged() {
        return true;
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    @Override
    protected boolean post() {
        if (request == null) {
            request = endpoint().tagged().sendRequest().buffers(buffer).peer(to).tag(tag)
                    .flags(OperationFlag.DELIVERY_COMPLETE);
        }
        return request.post(context);
    }

    @Override
    public String what() {
        return "send of " + length + " bytes with tag " + OwnTags.text(tag);
    }
}
