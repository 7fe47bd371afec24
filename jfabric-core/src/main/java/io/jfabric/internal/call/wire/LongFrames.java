// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * How messages about long payloads use the fields of a {@link Frame} whose names do not say so.
 * <ul>
 * <li>CALL_LARGE: {@code more} is the tag of the payload if that follows at once, else 0. An {@link AnswerRoom} may
 * follow the header.
 * <li>GO of a service: {@code more} is the tag with which it receives the request.
 * <li>ANSWER_LARGE: {@code more} is the number of the answer, which the service has chosen, and {@code time} how long
 * it waits for the caller's GO.
 * <li>GO of a caller: {@code more} is that number, and {@code time} the tag with which it receives the answer.
 * <li>ANSWER_DROPPED: {@code more} is that number.
 * <li>REQUEST_DROPPED: nothing but the number of the call.
 * </ul>
 */
public final class LongFrames {
    private LongFrames() {
    }

    /** Writes a CALL_LARGE. Its tag is 0 if the payload does not follow at once; the room may be null. */
    public static void request(MemorySegment frame, int connection, long serviceKey, long id, long length,
            long timeLeft, long tag, AnswerRoom room) {
        Frame.write(frame, Frame.CALL_LARGE, connection, serviceKey, id, length, timeLeft, tag);
        if (room != null) {
            room.write(frame);
        }
    }

    /** The room in a CALL_LARGE; null if it has none. */
    public static AnswerRoom room(MemorySegment frame, long received) {
        return received < Frame.HEADER + AnswerRoom.BYTES ? null : AnswerRoom.read(frame);
    }

    /** The tag in a CALL_LARGE. */
    public static long eagerTag(MemorySegment frame) {
        return Frame.more(frame);
    }

    /** The tag in a service's GO. */
    public static long requestTag(MemorySegment frame) {
        return Frame.more(frame);
    }

    /** The tag in a caller's GO. */
    public static long answerTag(MemorySegment frame) {
        return Frame.time(frame);
    }

    /** The number in an ANSWER_LARGE, a caller's GO, or an ANSWER_DROPPED. */
    public static long answerNumber(MemorySegment frame) {
        return Frame.more(frame);
    }

    /** Writes a service's GO, with the length of the request that it has made room for. */
    public static void go(MemorySegment frame, int connection, long callerKey, long id, long length, long tag) {
        Frame.write(frame, Frame.GO, connection, callerKey, id, length, 0, tag);
    }

    /** How long the service waits after an ANSWER_LARGE, in nanoseconds. */
    public static long patience(MemorySegment frame) {
        return Frame.time(frame);
    }

    /** Writes an ANSWER_LARGE. */
    public static void announce(MemorySegment frame, int connection, long callerKey, long id, long length,
            long patience, long number) {
        Frame.write(frame, Frame.ANSWER_LARGE, connection, callerKey, id, length, patience, number);
    }

    /** Writes a caller's GO, with the length of the answer that it has made room for. */
    public static void goAnswer(MemorySegment frame, int connection, long serviceKey, long id, long length, long tag,
            long number) {
        Frame.write(frame, Frame.GO, connection, serviceKey, id, length, tag, number);
    }

    /** Writes an ANSWER_DROPPED. */
    public static void drop(MemorySegment frame, int connection, long serviceKey, long id, long number) {
        Frame.write(frame, Frame.ANSWER_DROPPED, connection, serviceKey, id, 0, 0, number);
    }

    /** Writes a REQUEST_DROPPED. */
    public static void withdraw(MemorySegment frame, int connection, long serviceKey, long id) {
        Frame.write(frame, Frame.REQUEST_DROPPED, connection, serviceKey, id, 0, 0, 0);
    }
}
