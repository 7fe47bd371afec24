// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;

/** A call whose answer goes into memory of the program. */
final class MemoryCall extends Outgoing<MemorySegment> {
    private final MemorySegment answer;
    /** Whether the provider can write there, whichever thread it is called by. */
    private final boolean inPlace;

    MemoryCall(Drive drive, MemorySegment[] request, MemorySegment answer, long end) {
        super(drive, request, end);
        this.answer = answer;
        this.inPlace = Buffers.isForAnyThread(answer);
    }

    private MemorySegment filled(long length) {
        if (length > answer.byteSize()) {
            throw tooLong(length, answer);
        }
        return answer.asSlice(0, length);
    }

    static FabricException tooLong(long length, MemorySegment room) {
        return FabricException.of("Caller.call", FabricError.ETRUNC.code(), "the answer is " + length
                + " bytes long, but its buffer holds only " + room.byteSize());
    }

    @Override
    void take(MemorySegment from, long offset, long length) {
        MemorySegment filled = filled(length);
        MemorySegment.copy(from, offset, filled, 0, length);
        value(filled);
    }

    @Override
    boolean fillsMemory() {
        return true;
    }

    @Override
    MemorySegment wholeRoom() {
        return inPlace ? answer : null;
    }

    @Override
    MemorySegment room(long length) {
        MemorySegment filled = filled(length);
        return inPlace ? filled : null;
    }

    @Override
    void arrived(MemorySegment room) {
        value(room);
    }
}
