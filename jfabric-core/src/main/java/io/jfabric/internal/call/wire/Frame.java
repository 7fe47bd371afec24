// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.async.operation.TextOfPeer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The header of every message: 56 bytes, little endian. What comes from a peer is trusted only after {@link #isSound}.
 * The fields are named after their use in a call. Some messages use them for other things, which {@link Greeting},
 * {@link Welcome}, {@link Refusal}, {@link CallerGoodbye}, {@link ServiceGoodbye}, {@link CallFrames},
 * {@link LongFrames} and {@link Bundle} know: nobody else writes a header.
 */
public final class Frame {
    public static final int HEADER = 56;

    public static final int CONNECT = 1;
    public static final int ACCEPT = 2;
    public static final int REFUSE = 3;
    public static final int CALL = 4;
    public static final int CALL_LARGE = 5;
    public static final int GO = 6;
    public static final int ANSWER = 7;
    public static final int ANSWER_LARGE = 8;
    public static final int FAILURE = 9;
    public static final int BUSY = 10;
    public static final int LATE = 11;
    public static final int TOO_LONG = 12;
    public static final int BYE = 13;
    public static final int ANSWER_DROPPED = 14;
    /** A CALL with an {@link AnswerRoom} before the request. */
    public static final int CALL_WITH_ROOM = 15;
    /** Several messages to the same target. */
    static final int BUNDLE = 16;
    public static final int REQUEST_DROPPED = 17;

    /** The {@link #time} of a call without a deadline. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** "jf", and the version of the protocol in the third byte. */
    private static final int MAGIC = 0x03666A;
    private static final int MAGIC_MASK = 0xFFFFFF;
    private static final int ANY_VERSION = 0xFFFF;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int CONNECTION = 4;
    private static final int KEY = 8;
    private static final int ID = 16;
    private static final int LENGTH = 24;
    private static final int TIME = 32;
    private static final int MORE = 40;
    private static final int TARGET = 48;

    private Frame() {
    }

    /** Writes a header, except for the {@link #target}. */
    static void write(MemorySegment at, int type, int connection, long key, long id, long length, long time,
            long more) {
        at.set(INT, 0, MAGIC | type << 24);
        at.set(INT, CONNECTION, connection);
        at.set(LONG, KEY, key);
        at.set(LONG, ID, id);
        at.set(LONG, LENGTH, length);
        at.set(LONG, TIME, time);
        at.set(LONG, MORE, more);
    }

    /** Whether a received message is one of ours, as far as its header shows. */
    static boolean isSound(MemorySegment at, long received) {
        return received >= HEADER && received <= at.byteSize() && (at.get(INT, 0) & MAGIC_MASK) == MAGIC
                && length(at) >= 0;
    }

    /** Whether it is a message of another version of the protocol. */
    static boolean isForeign(MemorySegment at, long received) {
        return received >= HEADER && received <= at.byteSize()
                && (at.get(INT, 0) & ANY_VERSION) == (MAGIC & ANY_VERSION) && version(at) != version();
    }

    /** Our version of the protocol. */
    static int version() {
        return MAGIC >>> 16;
    }

    static int version(MemorySegment at) {
        return at.get(INT, 0) >>> 16 & 0xFF;
    }

    /** Whether the message contains its whole payload. */
    public static boolean isWhole(MemorySegment at, long received) {
        return length(at) == received - HEADER;
    }

    public static int type(MemorySegment at) {
        return at.get(INT, 0) >>> 24;
    }

    public static int connection(MemorySegment at) {
        return at.get(INT, CONNECTION);
    }

    public static long key(MemorySegment at) {
        return at.get(LONG, KEY);
    }

    /** The number of the call. */
    public static long id(MemorySegment at) {
        return at.get(LONG, ID);
    }

    /** The length of the payload, which follows at once or later. */
    public static long length(MemorySegment at) {
        return at.get(LONG, LENGTH);
    }

    /** How many nanoseconds a call has left, or whatever else the type of message needs. */
    public static long time(MemorySegment at) {
        return at.get(LONG, TIME);
    }

    /** A tag, or whatever else the type of message needs. */
    static long more(MemorySegment at) {
        return at.get(LONG, MORE);
    }

    /** The service or caller it is sent to. */
    static long target(MemorySegment at) {
        return at.get(LONG, TARGET);
    }

    static void target(MemorySegment at, long target) {
        at.set(LONG, TARGET, target);
    }

    static long get(MemorySegment at, int offset) {
        return at.get(LONG, offset);
    }

    static void set(MemorySegment at, int offset, long value) {
        at.set(LONG, offset, value);
    }

    /** Writes text behind the header, as much as fits. */
    public static int text(MemorySegment at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = (int) Math.min(bytes.length, at.byteSize() - HEADER);
        MemorySegment.copy(bytes, 0, at, ValueLayout.JAVA_BYTE, HEADER, length);
        return length;
    }

    /** The text behind the header; see {@link TextOfPeer}. */
    public static String text(MemorySegment at) {
        return TextOfPeer.of(at.asSlice(HEADER, (int) length(at)));
    }
}
