// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import java.util.stream.IntStream;

/** Which message sizes are tried. Both sides work it out for themselves, so it must be what C works out. */
final class Sizes {
    /** The largest message unless {@code -S} asks for another: 6 MiB. */
    static final int LARGEST = (1 << 22) + (1 << 21);

    private static final int[] DEFAULTS = {64, 256, 1024, 4096, 65536, 1048576};

    private Sizes() {
    }

    /** What {@code -S} did not say. */
    static IntStream defaults(long largest) {
        return IntStream.of(DEFAULTS).takeWhile(size -> size <= largest);
    }

    /** {@code -S all}: 0 and 1, then each power of two and half as much again. */
    static IntStream all(long largest) {
        IntStream powers = IntStream.rangeClosed(1, 30).flatMap(i -> IntStream.of(1 << i, (1 << i) + (1 << i - 1)));
        return IntStream.concat(IntStream.of(0, 1), powers).takeWhile(size -> size <= largest);
    }

    /** {@code -S SIZE}: nothing if the endpoint cannot send that much. */
    static IntStream only(int size, long largest) {
        return size <= largest ? IntStream.of(size) : IntStream.empty();
    }
}
