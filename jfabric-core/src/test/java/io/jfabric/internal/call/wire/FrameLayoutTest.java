// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** What stands where in each message. */
class FrameLayoutTest {
    private static final long LARGE = 0x0102_0304_0506_0708L;
    /** One that {@link Wire#isPayload}. */
    private static final long PAYLOAD = 1L << 61 | 1L << 56 | 3L << 48 | 9;

    private final MemorySegment frame = Arena.ofAuto().allocate(200, 8);

    private RawHeader header() {
        return RawHeader.of(frame);
    }

    @Test
    void greeting() {
        byte[] address = {9, 8, 7};
        Greeting.write(frame, address, LARGE, -5, 4096, 16, -2);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(1), -2, -5, 4096, 3, 16, LARGE));
        assertThat(frame.asSlice(56, 3).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(address);
        assertThat(Greeting.length(address)).isEqualTo(59);
    }

    @Test
    void welcome() {
        Welcome welcome = new Welcome(-2, -5, 3, LARGE, 4096, 16, 1L << 40);
        welcome.write(frame);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(2), 3, -5, LARGE, 8, 4096L << 32 | 16, 1L << 40));
        assertThat(frame.get(ValueLayout.JAVA_LONG, 56)).isEqualTo(-2);
        assertThat(Welcome.read(frame, 64)).isEqualTo(welcome);
    }

    @Test
    void refusal() {
        Refusal refusal = new Refusal(-2, -5, true, "full");
        assertThat(refusal.write(frame)).isEqualTo(60);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(3), -2, -5, 0, 4, 0, 1));
        assertThat(frame.asSlice(56, 4).toArray(ValueLayout.JAVA_BYTE)).isEqualTo("full".getBytes());
        assertThat(Refusal.read(frame, 60)).isEqualTo(refusal);
        assertThat(Refusal.read(frame, 59)).isNull();
    }

    @Test
    void shortRequest() {
        CallFrames.request(frame, 3, LARGE, 4, 8, 77, null);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(4), 3, LARGE, 4, 8, 77, 0));
        assertThat(CallFrames.start((AnswerRoom) null)).isEqualTo(56);
        assertThat(CallFrames.isWhole(frame, 64)).isTrue();
        assertThat(CallFrames.isWhole(frame, 63)).isFalse();
        assertThat(CallFrames.request(frame)).isEqualTo(frame.asSlice(56, 8));
        assertThat(CallFrames.room(frame)).isNull();
    }

    @Test
    void shortRequestWithRoom() {
        AnswerRoom room = new AnswerRoom(PAYLOAD, 1 << 20);
        CallFrames.request(frame, 3, LARGE, 4, 8, 77, room);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(15), 3, LARGE, 4, 8, 77, 0));
        assertThatRoomIsThere();
        assertThat(CallFrames.start(room)).isEqualTo(72);
        assertThat(CallFrames.isWhole(frame, 80)).isTrue();
        assertThat(CallFrames.isWhole(frame, 64)).isFalse();
        assertThat(CallFrames.request(frame)).isEqualTo(frame.asSlice(72, 8));
        assertThat(CallFrames.room(frame)).isEqualTo(room);
    }

    private void assertThatRoomIsThere() {
        assertThat(frame.get(ValueLayout.JAVA_LONG, 56)).isEqualTo(PAYLOAD);
        assertThat(frame.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(1 << 20);
    }

    @Test
    void endOfACall() {
        CallFrames.end(frame, Frame.ANSWER, 3, -5, 4, 8, false);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(7), 3, -5, 4, 8, 0, 0));
        for (boolean isClosing : new boolean[] {false, true}) {
            CallFrames.end(frame, Frame.BUSY, 3, -5, 4, 0, isClosing);
            assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(10), 3, -5, 4, 0, 0, isClosing ? 1 : 0));
            assertThat(CallFrames.isClosing(frame)).isEqualTo(isClosing);
        }
    }

    @Test
    void goodbyeOfACaller() {
        CallerGoodbye bye = new CallerGoodbye(3, LARGE, -5, 1L << 50);
        bye.write(frame);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(13), 3, LARGE, -5, 0, 0, 1L << 50));
        assertThat(CallerGoodbye.read(frame)).isEqualTo(bye);
    }

    @Test
    void goodbyeOfAService() {
        for (boolean isAnswered : new boolean[] {false, true}) {
            ServiceGoodbye bye = new ServiceGoodbye(3, -5, LARGE, isAnswered);
            bye.write(frame);
            assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(13), 3, -5, LARGE, 0, 0, isAnswered ? 1 : 0));
            assertThat(ServiceGoodbye.read(frame)).isEqualTo(bye);
        }
    }

    @Test
    void longRequest() {
        LongFrames.request(frame, 3, LARGE, 4, 1L << 33, 77, -6, null);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(5), 3, LARGE, 4, 1L << 33, 77, -6));
        assertThat(LongFrames.eagerTag(frame)).isEqualTo(-6);
        assertThat(LongFrames.room(frame, 56)).isNull();
        LongFrames.request(frame, 3, LARGE, 4, 1L << 33, 77, -6, new AnswerRoom(PAYLOAD, 1 << 20));
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(5), 3, LARGE, 4, 1L << 33, 77, -6));
        assertThatRoomIsThere();
        assertThat(LongFrames.room(frame, 72)).isEqualTo(new AnswerRoom(PAYLOAD, 1 << 20));
        LongFrames.go(frame, 3, -5, 4, 1L << 33, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(6), 3, -5, 4, 1L << 33, 0, LARGE));
        assertThat(LongFrames.requestTag(frame)).isEqualTo(LARGE);
    }

    @Test
    void longAnswer() {
        LongFrames.announce(frame, 3, -5, 4, 1L << 33, 77, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(8), 3, -5, 4, 1L << 33, 77, LARGE));
        assertThat(LongFrames.answerNumber(frame)).isEqualTo(LARGE);
        assertThat(LongFrames.patience(frame)).isEqualTo(77);
        LongFrames.goAnswer(frame, 3, -5, 4, 1L << 33, -6, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(6), 3, -5, 4, 1L << 33, -6, LARGE));
        assertThat(LongFrames.answerTag(frame)).isEqualTo(-6);
        assertThat(LongFrames.answerNumber(frame)).isEqualTo(LARGE);
        LongFrames.drop(frame, 3, -5, 4, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(14), 3, -5, 4, 0, 0, LARGE));
        assertThat(LongFrames.answerNumber(frame)).isEqualTo(LARGE);
        LongFrames.withdraw(frame, 3, -5, 4);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(17), 3, -5, 4, 0, 0, 0));
    }
}
