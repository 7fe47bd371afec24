// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken out of a bundle that a peer has made. */
class BundleTest {
    private final MemorySegment bundle = Arena.ofAuto().allocate(4096, 8);
    private long length = Frame.HEADER;

    /** As {@link Bundle#add}, with a length that may be wrong. */
    private void add(int type, long id, int payload, long saidLength) {
        Frame.set(bundle, (int) length, saidLength);
        MemorySegment frame = bundle.asSlice(length + Long.BYTES, Frame.HEADER + payload);
        Frame.write(frame, type, 0, 0, id, payload, 0, 0);
        length += Long.BYTES + (Frame.HEADER + payload + 7 & -8);
    }

    private void add(int type, long id, int payload) {
        add(type, id, payload, Frame.HEADER + payload);
    }

    private long[] ids() {
        List<MemorySegment> messages = Bundle.read(bundle, length);
        return messages.stream().mapToLong(Frame::id).toArray();
    }

    @Test
    void allOfThemInOrder() {
        int[] payloads = {0, 1, 7, 8, 9, 100};
        for (int i = 0; i < payloads.length; i++) {
            add(Frame.CALL, i, payloads[i]);
        }
        assertThat(ids()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(Bundle.read(bundle.asSlice(0, length), length)).as("to the end of the memory").hasSize(6);
        assertThat(Bundle.read(bundle, length)).extracting(MemorySegment::byteSize).containsExactly(
                Arrays.stream(payloads).mapToObj(payload -> (long) Frame.HEADER + payload).toArray(Long[]::new));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, Frame.HEADER - 1, Frame.HEADER + 1, 4096, Integer.MAX_VALUE, 1L << 32,
        Long.MAX_VALUE, Long.MIN_VALUE})
    void nothingAfterALengthThatCannotBe(long said) {
        add(Frame.CALL, 1, 8);
        add(Frame.CALL, 2, 0, said);
        assertThat(ids()).containsExactly(1);
    }

    @Test
    void neitherWhatIsNoMessageNorABundle() {
        add(Frame.CALL, 1, 8);
        add(Frame.BUNDLE, 2, 8);
        add(Frame.CALL, 3, 8);
        Frame.set(bundle, (int) length - 8 - Frame.HEADER, 0);
        add(Frame.CALL, 4, 8);
        assertThat(ids()).containsExactly(1, 4);
    }

    @Test
    void asFarAsItCame() {
        add(Frame.CALL, 1, 8);
        add(Frame.CALL, 2, 8);
        for (int missing = 1; missing < 8 + Frame.HEADER + 8; missing++) {
            assertThat(Bundle.read(bundle, length - missing)).hasSize(1);
        }
        assertThat(Bundle.read(bundle, Frame.HEADER)).isEmpty();
    }
}
