// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Request;
import io.jfabric.TaggedRequest;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.async.peer.Requests;
import java.lang.foreign.MemorySegment;

/** A message of several buffers, with a tag or without. */
final class GatheringSend extends Message {
    private final Requests requests;
    private final MemorySegment[] buffers;
    private final boolean tagged;
    private final long tag;
    /** The request for which the provider was too busy; null if there is none. */
    private Request<?> request;

    GatheringSend(Drive drive, PeerImpl peer, long deadline, MemorySegment[] buffers, boolean tagged, long tag) {
        super(drive, peer, peer.transmits(), deadline, BufferList.length("send", buffers));
        this.requests = peer.requests();
        this.buffers = buffers;
        this.tagged = tagged;
        this.tag = tag;
    }

    @Override
    protected boolean isTagged() {
        return tagged;
    }

    @Override
    public boolean isOwn() {
        return tagged && OwnTags.isOwn(tag);
    }

    @Override
    protected boolean post() {
        Requests.Kind kind = tagged ? Requests.Kind.TAGGED_SEND : Requests.Kind.SEND;
        if (request == null) {
            request = requests.take(kind).buffers(buffers).peer(to);
            if (request instanceof TaggedRequest message) {
                message.tag(tag);
            }
        }
        boolean taken = request.post(context);
        if (taken) {
            requests.give(kind, request);
            request = null;
        }
        return taken;
    }

    @Override
    public String what() {
        return "send of " + length + " bytes in " + buffers.length + " buffers"
                + (tagged ? " with tag " + OwnTags.text(tag) : "");
    }
}
