// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.Drive;
import java.lang.foreign.MemorySegment;

/** A call whose answer goes into memory of the caller's. */
final class MemoryCall extends Outgoing<MemorySegment> {
    private final MemorySegment answer;

    MemoryCall(Drive drive, MemorySegment request, MemorySegment answer, long end, boolean hasEnd) {
        super(drive, request, end, hasEnd);
        this.answer = answer;
    }

    private MemorySegment filled(long length) {
        if (length > answer.byteSize()) {
            throw tooLong(length, answer);
        }
        return answer.asSlice(0, length);
    }

    static FabricException tooLong(long length, MemorySegment room) {
        return FabricException.of("Caller.call", FabricError.ETRUNC.code(), "the answer has " + length
                + " bytes, its memory " + room.byteSize());
    }

    @Override
    void take(MemorySegment from, long offset, long length) {
        MemorySegment filled = filled(length);
        MemorySegment.copy(from, offset, filled, 0, length);
        value(filled);
    }

    @Override
    MemorySegment wholeRoom() {
        return answer.isNative() ? answer : null;
    }

    @Override
    MemorySegment room(long length) {
        MemorySegment filled = filled(length);
        return answer.isNative() ? filled : null;
    }

    @Override
    void arrived(MemorySegment room) {
        if (answer.isNative()) {
            value(room);
        } else {
            take(room, 0, room.byteSize());
        }
    }
}
