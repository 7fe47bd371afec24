// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jfabric.internal.life.Closing;
import io.jfabric.internal.life.Entry;
import io.jfabric.internal.life.Guarded;
import io.jfabric.internal.life.SharedEntry;
import io.jfabric.internal.life.Turnstile;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads use objects while others close them. The rounds are closed objects: {@code -Djfabric.test.closes}. */
@Timeout(120)
class ClosingStressTest {
    private static final int OBJECTS = 8;
    /** For so many calls a thread stays with one object. */
    private static final int CHUNK = 64;
    private static final VarHandle ALIVE = ValueLayout.JAVA_LONG.varHandle();
    private static final MethodHandle STRNLEN = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("strnlen"),
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final long ROUNDS = Long.getLong("jfabric.test.closes", 20_000);

    /** The memory of a fake object; its bytes are 1 while it is open. */
    private final MemorySegment memory = Arena.global().allocate(64L * OBJECTS, 64);
    private final AtomicReferenceArray<Fake> objects = new AtomicReferenceArray<>(OBJECTS);
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private volatile boolean stop;

    private record Fake(Entry entry, int index) implements Guarded {
    }

    private Fake open(int index, BiFunction<Long, Boolean, Entry> kind) {
        MemorySegment slot = memory.asSlice(64L * index, 64);
        ALIVE.setVolatile(slot, 0L, 0x01010101L);
        Fake fake = new Fake(kind.apply(slot.address(), true), index);
        objects.set(index, fake);
        return fake;
    }

    private void close(Fake fake) {
        List<Fake> group = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            group.add(objects.get(i));
        }
        Closing.run(group, () -> {
            ALIVE.setVolatile(memory, 64L * fake.index, 0L);
            fake.entry.closed();
        });
    }

    @Test
    void sharedEntriesAreNotUsedAfterClose() throws InterruptedException {
        stress(SharedEntry::new, ROUNDS, 3);
    }

    @Test
    void turnstilesAreNotUsedAfterClose() throws InterruptedException {
        stress(Turnstile::new, ROUNDS, 2);
    }

    private void stress(BiFunction<Long, Boolean, Entry> kind, long rounds, int threads) throws InterruptedException {
        for (int i = 0; i < OBJECTS; i++) {
            open(i, kind);
        }
        List<Thread> users = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t;
            users.add(Thread.ofPlatform().start(() -> use(first)));
        }
        long start = System.nanoTime();
        long closes = 0;
        // a busy machine may not let the users run while all is closed
        long end = start + Waits.DEADLINE.toNanos();
        for (; (closes < rounds || calls.get() <= rounds) && wrong.get() == 0 && System.nanoTime() < end; closes++) {
            Fake fake = objects.get((int) (closes % OBJECTS));
            close(fake);
            open(fake.index, kind);
        }
        stop = true;
        for (Thread user : users) {
            user.join();
        }
        System.out.printf("%s: %d closes among %d calls, %d after close, %.1f us per close%n",
                objects.get(0).entry.getClass().getSimpleName(), closes, calls.get(), wrong.get(),
                (System.nanoTime() - start) / 1e3 / closes);
        assertEquals(0, wrong.get());
        assertTrue(calls.get() > rounds);
    }

    private void use(int first) {
        long n = 0;
        for (int i = first; !stop; i = (i + (n % CHUNK == 0 ? 1 : 0)) % OBJECTS) {
            n++;
            if (n % CHUNK == 0) {
                calls.addAndGet(CHUNK);
            }
            Entry entry = objects.get(i).entry;
            long h = entry.enter();
            if (h == 0) {
                continue;
            }
            try {
                if (!nativeUse(h)) {
                    wrong.incrementAndGet();
                }
            } finally {
                entry.leave();
            }
        }
    }

    // strnlen of four bytes 1 is 4; of a closed object's it is 0
    private static boolean nativeUse(long h) {
        try {
            boolean good = true;
            for (int k = 0; k < 3; k++) {
                good &= (long) STRNLEN.invokeExact(h, 4L) == 4;
            }
            return good;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
