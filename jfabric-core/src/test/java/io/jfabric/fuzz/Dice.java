// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.util.List;

/** Random numbers of one call: they depend on seed, thread and number of the call only, not on what came before. */
final class Dice {
    private long state;

    void reset(long seed, int thread, long call) {
        state = mix(seed * 0x9E3779B97F4A7C15L + thread * 0xD1B54A32D192ED03L) ^ mix(call + 0x632BE59BD9B4E019L);
    }

    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        return mix(state);
    }

    int below(int bound) {
        return (int) Long.remainderUnsigned(nextLong() >>> 1, bound);
    }

    /** True in {@code percent} of a hundred cases. */
    boolean percent(int percent) {
        return below(100) < percent;
    }

    boolean oneIn(int cases) {
        return below(cases) == 0;
    }

    <T> T of(List<T> choices) {
        return choices.get(below(choices.size()));
    }

    @SafeVarargs
    final <T> T of(T... choices) {
        return choices[below(choices.length)];
    }
}
