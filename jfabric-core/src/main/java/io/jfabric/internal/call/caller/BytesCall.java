// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.drive.Drive;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A call whose answer is an array. */
class BytesCall extends Outgoing<byte[]> {
    /** The longest array of any JVM. */
    private static final long LONGEST = Integer.MAX_VALUE - 8;

    BytesCall(Drive drive, MemorySegment request, long end) {
        super(drive, new MemorySegment[] {request}, end);
    }

    @Override
    void take(MemorySegment from, long offset, long length) {
        byte[] answer = new byte[(int) length];
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, answer, 0, answer.length);
        value(answer);
    }

    @Override
    boolean fillsMemory() {
        return false;
    }

    @Override
    MemorySegment wholeRoom() {
        return null;
    }

    @Override
    MemorySegment room(long length) {
        if (length > LONGEST) {
            throw FabricException.of("Caller.call", FabricError.EMSGSIZE.code(), "an answer of " + length
                    + " bytes is more than an array holds: give it memory");
        }
        return null;
    }

    @Override
    void arrived(MemorySegment room) {
        take(room, 0, room.byteSize());
    }
}
