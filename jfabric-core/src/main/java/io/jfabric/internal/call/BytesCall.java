// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call;

import io.jfabric.internal.async.Drive;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A call whose answer is an array. */
final class BytesCall extends Outgoing<byte[]> {
    BytesCall(Drive drive, MemorySegment request, long end, boolean hasEnd) {
        super(drive, request, end, hasEnd);
    }

    @Override
    void take(MemorySegment answer) {
        value(answer.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    MemorySegment room(long length) {
        return null;
    }

    @Override
    void arrived(MemorySegment room) {
        take(room);
    }
}
