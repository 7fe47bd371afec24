// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.pool;

import java.util.ArrayList;
import java.util.List;

/** The buffers of a pool that exist already, and who has them. More are added by one thread at a time. */
final class Slices {
    /** How many holders a message names. */
    static final int LISTED = 4;

    private final Slice[] all;
    private volatile int count;

    Slices(int capacity) {
        this.all = new Slice[capacity];
    }

    int count() {
        return count;
    }

    Slice get(int index) {
        return all[index];
    }

    void add(Slice... more) {
        int made = count;
        System.arraycopy(more, 0, all, made, more.length);
        count = made + more.length;
    }

    int taken() {
        int made = count;
        int taken = 0;
        for (int i = 0; i < made; i++) {
            taken += all[i].isFree() ? 0 : 1;
        }
        return taken;
    }

    /** How many are taken, and where, for people. */
    String holders() {
        StringBuilder text = new StringBuilder().append(taken()).append(" of ").append(all.length)
                .append(" are taken");
        List<Throwable> places = places();
        if (places.isEmpty()) {
            text.append("; -Djfabric.leaks=stack says where");
        }
        for (Throwable place : places) {
            List<StackTraceElement> frames = List.of(place.getStackTrace()).stream()
                    .dropWhile(frame -> frame.getClassName().startsWith("io.jfabric.internal.")).limit(3).toList();
            text.append("; one at ").append(frames);
        }
        return text.toString();
    }

    /** Where some were taken, if that is kept. */
    List<Throwable> places() {
        List<Throwable> places = new ArrayList<>();
        int made = count;
        for (int i = 0; i < made && places.size() < LISTED; i++) {
            Throwable place = all[i].isFree() ? null : all[i].place();
            if (place != null) {
                places.add(place);
            }
        }
        return places;
    }
}
