// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.RemoteRegion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A write to a peer's memory, with data that tells the peer of it. */
final class DataTransfer extends Transfer {
    private final long data;

    DataTransfer(Drive drive, PeerImpl peer, long deadline, MemorySegment buffer, long data, RemoteRegion region,
            long offset) {
        super(drive, peer, deadline, true, buffer, 0, buffer.byteSize(), region, offset);
        this.data = data;
    }

    @Override
    protected boolean post() {
        return endpoint.rma().writeData(buffer, data, to, region, offset, context);
    }

    @Override
    public String what() {
        return super.what() + " with immediate data " + data;
    }
}
