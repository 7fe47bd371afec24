// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** What stands where in each message that has more or other fields than a call. */
class FrameLayoutTest {
    private static final long LARGE = 0x0102_0304_0506_0708L;

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
        Frame.write(frame, Frame.CALL_LARGE, 3, LARGE, 4, 1L << 33, 77, -6);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(5), 3, LARGE, 4, 1L << 33, 77, -6));
        assertThat(LongFrames.eagerTag(frame)).isEqualTo(-6);
        LongFrames.go(frame, 3, -5, 4, 1L << 33, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(6), 3, -5, 4, 1L << 33, 0, LARGE));
        assertThat(LongFrames.requestTag(frame)).isEqualTo(LARGE);
    }

    @Test
    void longAnswer() {
        LongFrames.announce(frame, 3, -5, 4, 1L << 33, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(8), 3, -5, 4, 1L << 33, 0, LARGE));
        assertThat(LongFrames.answerNumber(frame)).isEqualTo(LARGE);
        Frame.write(frame, Frame.GO, 3, -5, 4, 1L << 33, -6, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(6), 3, -5, 4, 1L << 33, -6, LARGE));
        assertThat(LongFrames.answerTag(frame)).isEqualTo(-6);
        assertThat(LongFrames.answerNumber(frame)).isEqualTo(LARGE);
        LongFrames.drop(frame, 3, -5, 4, LARGE);
        assertThat(header()).isEqualTo(new RawHeader(RawHeader.first(14), 3, -5, 4, 0, 0, LARGE));
        assertThat(LongFrames.answerNumber(frame)).isEqualTo(LARGE);
    }
}
