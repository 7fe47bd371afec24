// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Two threads read something again and again, while this one changes it. */
public final class Meanwhile {
    private static final int READERS = 2;
    private static final int WARM_UP_MILLIS = 300;

    private Meanwhile() {
    }

    /** Prints "survived" if the process has. */
    public static void reading(Runnable read, Runnable change) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> readers = Stream.generate(() -> Thread.ofPlatform().daemon().start(() -> {
            while (!over.get()) {
                read.run();
            }
        })).limit(READERS).toList();
        Thread.sleep(WARM_UP_MILLIS);
        change.run();
        over.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        System.out.println("survived");
    }
}
