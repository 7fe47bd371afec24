// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

/** Threads that meet null in compiled code all the time: each is a SIGSEGV that the JVM must get. */
final class NullPointers {
    /** Set where {@link PartyMain} is to have them. */
    static final String PROPERTY = "jfabric.features.nulls";
    private static volatile long sum;

    private int value = 1;

    private NullPointers() {
    }

    static void start() {
        NullPointers box = new NullPointers();
        Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; ; i++) {
                sum += caught(i > 200_000 && i % 10 == 0 ? null : box);
                if (i > 200_000 && i % 1000 == 0) {
                    Thread.yield();
                }
            }
        });
    }

    /** A branch that the compiler has never seen fail: the null check is left to the hardware. */
    private static int caught(NullPointers box) {
        try {
            return box.value;
        } catch (NullPointerException implicit) {
            return 0;
        }
    }
}
