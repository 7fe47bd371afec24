// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A write to a peer's memory, or a read from it. */
class Transfer extends Transmit {
    final boolean write;
    final MemorySegment buffer;
    private final long bufferOffset;
    final long length;
    final RemoteRegion region;
    final long offset;

    Transfer(Drive drive, PeerImpl peer, long deadline, boolean write, MemorySegment buffer, long bufferOffset,
            long length, RemoteRegion region, long offset) {
        super(drive, peer, deadline);
        this.write = write;
        this.buffer = buffer;
        this.bufferOffset = bufferOffset;
        this.length = length;
        this.region = region;
        this.offset = offset;
    }

    @Override
    protected boolean post() {
        return write ? endpoint.rma().write(buffer, bufferOffset, length, to, region, offset, context)
                : endpoint.rma().read(buffer, bufferOffset, length, to, region, offset, context);
    }

    @Override
    public void count(Moved moved, Completion completion) {
        if (write) {
            moved.sent(length);
        } else {
            moved.received(length);
        }
    }

    @Override
    protected String towards() {
        return write ? " to " : " from ";
    }

    @Override
    protected boolean usesRegion() {
        return true;
    }

    @Override
    public String what() {
        return (write ? "write" : "read") + " of " + length + " bytes at offset " + offset;
    }
}
