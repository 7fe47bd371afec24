// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A write to a peer's memory of which the peer is told. */
final class DataTransfer extends Transmit {
    private final MemorySegment buffer;
    private final long data;
    private final RemoteRegion region;
    private final long offset;

    DataTransfer(Drive drive, PeerImpl peer, long deadline, MemorySegment buffer, long data, RemoteRegion region,
            long offset) {
        super(drive, peer, deadline);
        this.buffer = buffer;
        this.data = data;
        this.region = region;
        this.offset = offset;
    }

    @Override
    protected boolean post() {
        return endpoint.rma().writeData(buffer, data, to, region, offset, context);
    }

    @Override
    public void count(Moved moved, Completion completion) {
        moved.sent(buffer.byteSize());
    }

    @Override
    protected String towards() {
        return " to ";
    }

    @Override
    public String what() {
        return "write of " + buffer.byteSize() + " bytes at offset " + offset + " with immediate data " + data;
    }
}
