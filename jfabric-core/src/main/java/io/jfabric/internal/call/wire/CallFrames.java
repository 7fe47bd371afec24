// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * What the messages have that begin a short call, or end a call.
 * <ul>
 * <li>CALL: the request behind the header.
 * <li>CALL_WITH_ROOM: an {@link AnswerRoom} there, and the request behind that.
 * <li>ANSWER: the answer behind the header. FAILURE: a text there.
 * <li>BUSY: {@code more} is 1 if the service is about to be closed.
 * </ul>
 */
public final class CallFrames {
    private static final long CLOSING = 1;

    private CallFrames() {
    }

    /** Where the request stands in a CALL; with a room, which may be null, in a CALL_WITH_ROOM. */
    public static long start(AnswerRoom room) {
        return Frame.HEADER + (room == null ? 0 : AnswerRoom.BYTES);
    }

    /** Writes a CALL or CALL_WITH_ROOM, but for the request. */
    public static void request(MemorySegment frame, int connection, long serviceKey, long id, long length,
            long timeLeft, AnswerRoom room) {
        Frame.write(frame, room == null ? Frame.CALL : Frame.CALL_WITH_ROOM, connection, serviceKey, id, length,
                timeLeft, 0);
        if (room != null) {
            room.write(frame);
        }
    }

    private static long start(MemorySegment frame) {
        return Frame.HEADER + (Frame.type(frame) == Frame.CALL_WITH_ROOM ? AnswerRoom.BYTES : 0);
    }

    /** Whether all of a CALL or CALL_WITH_ROOM came along. */
    public static boolean isWhole(MemorySegment frame, long received) {
        return Frame.length(frame) == received - start(frame);
    }

    /** The request in a whole one. */
    public static MemorySegment request(MemorySegment frame) {
        return frame.asSlice(start(frame), Frame.length(frame));
    }

    /** Null if a whole one has none. */
    public static AnswerRoom room(MemorySegment frame) {
        return Frame.type(frame) == Frame.CALL_WITH_ROOM ? AnswerRoom.read(frame) : null;
    }

    /** Writes what ends a call, but for what is behind the header. */
    public static void end(MemorySegment frame, int type, int connection, long callerKey, long id, long length,
            boolean isClosing) {
        Frame.write(frame, type, connection, callerKey, id, length, 0, isClosing ? CLOSING : 0);
    }

    /** Of a BUSY. */
    public static boolean isClosing(MemorySegment frame) {
        return Frame.more(frame) == CLOSING;
    }
}
