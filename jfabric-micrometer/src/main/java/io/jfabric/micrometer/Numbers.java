// SPDX-License-Identifier: Apache-2.0
package io.jfabric.micrometer;

import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Tells open objects with the same tags apart: each has the smallest number that no other open one has. So one that
 * takes the place of another that was closed has its number, and a registry does not grow with every opening.
 */
final class Numbers {
    private static final Map<Tags, List<Holder<?>>> HOLDERS = new HashMap<>();

    private Numbers() {
    }

    /** Who has a number, and keeps it while it is open. */
    private record Holder<T>(WeakReference<T> source, Predicate<T> isOpen) {
        boolean isFree() {
            T held = source.get();
            return held == null || !isOpen.test(held);
        }
    }

    /** From 1; the same each time for an object that is open. */
    static synchronized <T> int of(T source, Tags tags, Predicate<T> isOpen) {
        HOLDERS.values().removeIf(holders -> holders.stream().allMatch(Holder::isFree));
        List<Holder<?>> holders = HOLDERS.computeIfAbsent(tags, any -> new ArrayList<>());
        Holder<T> holder = new Holder<>(new WeakReference<>(source), isOpen);
        int free = holders.size();
        for (int i = holders.size() - 1; i >= 0; i--) {
            if (holders.get(i).isFree()) {
                free = i;
            } else if (holders.get(i).source.get() == source) {
                return i + 1;
            }
        }
        if (free == holders.size()) {
            holders.add(holder);
        } else {
            holders.set(free, holder);
        }
        return free + 1;
    }
}
