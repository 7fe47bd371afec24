// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * The layout of the messages that begin a short call, or end a call.
 * <ul>
 * <li>CALL: the request follows the header.
 * <li>CALL_WITH_ROOM: an {@link AnswerRoom} follows the header, then the request.
 * <li>ANSWER: the answer follows the header. FAILURE: a text does.
 * <li>BUSY: {@code more} is 1 if the service is about to be closed.
 * </ul>
 */
public final class CallFrames {
    private static final long CLOSING = 1;

    private CallFrames() {
    }

    /** The offset of the request: in a CALL if the room is null, else in a CALL_WITH_ROOM. */
    public static long start(AnswerRoom room) {
        return Frame.HEADER + (room == null ? 0 : AnswerRoom.BYTES);
    }

    /** Writes a CALL or CALL_WITH_ROOM, except for the request itself. */
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

    /** Whether a CALL or CALL_WITH_ROOM contains its whole request. */
    public static boolean isWhole(MemorySegment frame, long received) {
        return Frame.length(frame) == received - start(frame);
    }

    /** The request of a CALL or CALL_WITH_ROOM that is whole. */
    public static MemorySegment request(MemorySegment frame) {
        return frame.asSlice(start(frame), Frame.length(frame));
    }

    /** The room in a message that is whole; null if it has none. */
    public static AnswerRoom room(MemorySegment frame) {
        return Frame.type(frame) == Frame.CALL_WITH_ROOM ? AnswerRoom.read(frame) : null;
    }

    /** Writes the header of a message that ends a call. */
    public static void end(MemorySegment frame, int type, int connection, long callerKey, long id, long length,
            boolean isClosing) {
        Frame.write(frame, type, connection, callerKey, id, length, 0, isClosing ? CLOSING : 0);
    }

    /** Whether a BUSY says that the service is about to be closed. */
    public static boolean isClosing(MemorySegment frame) {
        return Frame.more(frame) == CLOSING;
    }
}
