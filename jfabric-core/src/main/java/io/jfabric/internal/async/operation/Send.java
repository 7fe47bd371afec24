// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** A message without a tag. */
final class Send extends Message {
    private final MemorySegment buffer;
    private final long offset;
    private final boolean hasData;
    private final long data;

    Send(Drive drive, PeerImpl peer, long deadline, MemorySegment buffer, long offset, long length, boolean hasData,
            long data) {
        super(drive, peer, peer.transmits(), deadline, length);
        this.buffer = buffer;
        this.offset = offset;
        this.hasData = hasData;
        this.data = data;
    }

    @Override
    protected boolean post() {
        return hasData ? endpoint.messages().sendData(buffer, data, to, context)
                : endpoint.messages().send(buffer, offset, length, to, context);
    }

    @Override
    public String what() {
        return "send of " + length + " bytes";
    }
}
