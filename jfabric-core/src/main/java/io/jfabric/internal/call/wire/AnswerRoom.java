// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * Where a caller already receives the answer to a call: a payload with that tag, of 1 byte to that many. One of no
 * bytes says that none comes. In a message it stands behind the header.
 */
public record AnswerRoom(long tag, long size) {
    public static final int BYTES = 2 * Long.BYTES;

    void write(MemorySegment frame) {
        Frame.set(frame, Frame.HEADER, tag);
        Frame.set(frame, Frame.HEADER + Long.BYTES, size);
    }

    /** Null if that is none. */
    static AnswerRoom read(MemorySegment frame) {
        long tag = Frame.get(frame, Frame.HEADER);
        long size = Frame.get(frame, Frame.HEADER + Long.BYTES);
        return Wire.isPayload(tag) && size > 0 ? new AnswerRoom(tag, size) : null;
    }
}
