// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async;

import io.jfabric.Completion;
import java.lang.foreign.MemorySegment;

/** A tagged message. */
final class TaggedSend extends Transmit {
    private final MemorySegment buffer;
    private final long offset;
    private final long length;
    private final long tag;
    private final boolean hasData;
    private final long data;

    TaggedSend(Drive drive, PeerImpl peer, long deadline, MemorySegment buffer, long offset, long length, long tag,
            boolean hasData, long data) {
        super(drive, peer, deadline);
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.tag = tag;
        this.hasData = hasData;
        this.data = data;
    }

    @Override
    boolean isOwn() {
        return Tags.isOwn(tag);
    }

    @Override
    boolean post() {
        return hasData ? endpoint.tagged().sendData(buffer, data, to, tag, context)
                : endpoint.tagged().send(buffer, offset, length, to, tag, context);
    }

    @Override
    void count(Moved moved, Completion completion) {
        moved.sent(length);
    }

    @Override
    String towards() {
        return " to ";
    }

    @Override
    String what() {
        return "send of " + length + " bytes with tag " + tag;
    }
}
