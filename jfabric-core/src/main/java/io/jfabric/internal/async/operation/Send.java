// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A message without a tag. */
final class Send extends Transmit {
    private final MemorySegment buffer;
    private final long offset;
    private final long length;
    private final boolean hasData;
    private final long data;

    Send(Drive drive, PeerImpl peer, long deadline, MemorySegment buffer, long offset, long length, boolean hasData,
            long data) {
        super(drive, peer, deadline);
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.hasData = hasData;
        this.data = data;
    }

    @Override
    protected boolean post() {
        return hasData ? endpoint.messages().sendData(buffer, data, to, context)
                : endpoint.messages().send(buffer, offset, length, to, context);
    }

    @Override
    public void count(Moved moved, Completion completion) {
        moved.sent(length);
    }

    @Override
    protected String towards() {
        return " to ";
    }

    @Override
    public String what() {
        return "send of " + length + " bytes";
    }
}
