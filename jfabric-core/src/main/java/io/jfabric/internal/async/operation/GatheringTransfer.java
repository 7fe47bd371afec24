// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.RemoteRegion;
import io.jfabric.RmaRequest;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.async.peer.Requests;
import java.lang.foreign.MemorySegment;

/** A write of several buffers to a peer's memory, or a read into them; or as much of one as the provider takes. */
final class GatheringTransfer extends Transfer {
    private final Requests requests;
    private final MemorySegment[] buffers;
    private final Whole whole;

    /** What the program has asked for, of which an operation may be a part. */
    record Whole(boolean write, int count, long length, RemoteRegion region, long offset) {
        String text() {
            return (write ? "write" : "read") + " of " + length + " bytes in " + count + " buffers at offset " + offset;
        }
    }

    GatheringTransfer(Drive drive, PeerImpl peer, long deadline, MemorySegment[] buffers, long length, long offset,
            Whole whole) {
        super(drive, peer, deadline, whole.write, MemorySegment.NULL, 0, length, whole.region, offset);
        this.requests = peer.requests();
        this.buffers = buffers;
        this.whole = whole;
    }

    @Override
    protected boolean post() {
        Requests.Kind kind = write ? Requests.Kind.WRITE : Requests.Kind.READ;
        RmaRequest request = (RmaRequest) requests.take(kind);
        boolean taken = request.buffers(buffers).peer(to).range(region, offset, length).post(context);
        requests.give(kind, request);
        return taken;
    }

    @Override
    public String what() {
        return whole.text();
    }
}
