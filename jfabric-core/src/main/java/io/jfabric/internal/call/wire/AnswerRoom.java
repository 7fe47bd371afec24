// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * Where a caller already receives the answer to a call: as a payload with this tag, of 1 to {@code size} bytes. An
 * empty payload says that no answer comes this way. In a message the room follows the header.
 */
public record AnswerRoom(long tag, long size) {
    public static final int BYTES = 2 * Long.BYTES;

    void write(MemorySegment frame) {
        Frame.set(frame, Frame.HEADER, tag);
        Frame.set(frame, Frame.HEADER + Long.BYTES, size);
    }

    /** Null if there is no valid one. */
    static AnswerRoom read(MemorySegment frame) {
        long tag = Frame.get(frame, Frame.HEADER);
        long size = Frame.get(frame, Frame.HEADER + Long.BYTES);
        return Wire.isPayload(tag) && size > 0 ? new AnswerRoom(tag, size) : null;
    }
}
