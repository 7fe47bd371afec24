// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A tagged message. */
public final class TaggedSend extends Message {
    private final MemorySegment buffer;
    private final long offset;
    private final long tag;
    private final boolean hasData;
    private final long data;
    /** Null if nobody will ask for it. */
    private Object sender;

    public TaggedSend(Drive drive, PeerImpl peer, long deadline, MemorySegment buffer, long offset, long length,
            long tag, boolean hasData, long data) {
        this(drive, peer, peer.transmits(), deadline, buffer, offset, length, tag, hasData, data);
    }

    /** A message that does not wait behind what the program sends to the peer, in one of the peer's lanes for that. */
    public static TaggedSend first(Drive drive, PeerImpl peer, Lane lane, long deadline, MemorySegment buffer,
            long tag) {
        return new TaggedSend(drive, peer, lane, deadline, buffer, 0, buffer.byteSize(), tag, false, 0);
    }

    private TaggedSend(Drive drive, PeerImpl peer, Lane lane, long deadline, MemorySegment buffer, long offset,
            long length, long tag, boolean hasData, long data) {
        super(drive, peer, lane, deadline, length);
        this.buffer = buffer;
        this.offset = offset;
        this.tag = tag;
        this.hasData = hasData;
        this.data = data;
    }

    public long tag() {
        return tag;
    }

    @Override
    public void count(Moved moved, Completion completion) {
        if (OwnTags.isCounted(tag)) {
            super.count(moved, completion);
        }
    }

    @Override
    protected boolean isTagged() {
        return true;
    }

    @Override
    public boolean isOwn() {
        return OwnTags.isOwn(tag);
    }

    /** Sets who sends it, before it is started. */
    TaggedSend by(Object one) {
        sender = one;
        return this;
    }

    public boolean isBy(Object one) {
        return sender == one;
    }

    @Override
    protected boolean post() {
        return hasData ? endpoint.tagged().sendData(buffer, data, to, tag, context)
                : endpoint.tagged().send(buffer, offset, length, to, tag, context);
    }

    @Override
    public String what() {
        return "send of " + length + " bytes with tag " + OwnTags.text(tag);
    }
}
