// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Numbers of groups in tags: takes less than 3 MB, however many they are. */
final class Numbers {
    private static final int PAGE_BITS = 12;

    private final Map<Integer, BitSet> pages = new HashMap<>();

    void add(int number) {
        pages.computeIfAbsent(number >>> PAGE_BITS, page -> new BitSet(1 << PAGE_BITS)).set(place(number));
    }

    boolean has(int number) {
        BitSet page = pages.get(number >>> PAGE_BITS);
        return page != null && page.get(place(number));
    }

    private static int place(int number) {
        return number & (1 << PAGE_BITS) - 1;
    }
}
