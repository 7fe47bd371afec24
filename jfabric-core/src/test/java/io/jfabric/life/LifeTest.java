// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jfabric.OpenObject;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.life.Closing;
import io.jfabric.internal.life.Entry;
import io.jfabric.internal.life.Guarded;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.life.SharedEntry;
import io.jfabric.internal.life.Turnstile;
import io.jfabric.testkit.Waits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LifeTest {
    private static final long FID = 0x1000;

    private record Thing(String name, Entry entry, Runnable waker) implements Guarded {
        Thing(Entry entry) {
            this("thing", entry, () -> { });
        }

        @Override
        public void wake() {
            waker.run();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private static FutureTask<Void> start(String name, Step step) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            step.run();
            return null;
        });
        Thread.ofPlatform().daemon().name(name).start(task);
        return task;
    }

    private static void elsewhere(Step step) throws Exception {
        start("elsewhere", step).get();
    }

    /** A thread that is inside until told to leave. */
    private static final class Insider {
        private final CountDownLatch in = new CountDownLatch(1);
        private final CountDownLatch out = new CountDownLatch(1);
        private final FutureTask<Void> task;

        Insider(String name, Entry entry) throws InterruptedException {
            task = start(name, () -> {
                assertEquals(FID, entry.enter());
                in.countDown();
                out.await();
                entry.leave();
            });
            in.await();
        }

        void leave() throws Exception {
            out.countDown();
            task.get();
        }
    }

    /** Whether this thread, which is not inside, owns the entry. */
    private static boolean owns(Entry entry) {
        Bias in = entry.own();
        if (in != null) {
            in.leave();
        }
        return in != null;
    }

    @AfterEach
    void forgetTimeout() {
        System.clearProperty("jfabric.closeTimeoutMillis");
    }

    @Test
    void ownerAndGuestsNest() throws Exception {
        Entry entry = new SharedEntry(FID, true);
        assertEquals(FID, entry.enter());
        assertEquals(FID, entry.enter());
        elsewhere(() -> {
            assertEquals(FID, entry.enter());
            assertEquals(FID, entry.enter());
            entry.leave();
            entry.leave();
            assertFalse(owns(entry));
        });
        entry.leave();
        entry.leave();
        assertTrue(owns(entry));
        elsewhere(() -> assertDoesNotThrow(() -> Closing.run(List.of(new Thing(entry)), () -> { })));
    }

    @Test
    void ownershipPassesFromTheDead() throws Exception {
        Entry entry = new SharedEntry(FID, true);
        Thread first = Thread.ofPlatform().start(entry::enter);
        first.join();
        assertEquals(FID, entry.enter());
        entry.leave();
        assertTrue(owns(entry));
    }

    @Test
    void closedAndNotInServiceAreRefused() {
        Entry entry = new SharedEntry(FID, false);
        assertEquals(0, entry.enter());
        assertTrue(entry.refusal().contains("enable()"));
        assertEquals(FID, entry.enterAsGuest());
        entry.leaveAsGuest();
        entry.inService(true);
        assertEquals(FID, entry.enter());
        entry.leave();
        Closing.run(List.of(new Thing(entry)), entry::closed);
        assertEquals(0, entry.enter());
        assertEquals(0, entry.enterAsGuest());
        assertEquals("is closed", entry.refusal());
    }

    @Test
    void deadlineIsHonouredAndNothingClosed() throws Exception {
        System.setProperty("jfabric.closeTimeoutMillis", "200");
        Entry mine = new SharedEntry(FID, true);
        Entry busy = new SharedEntry(FID, true);
        Insider insider = new Insider("stubborn", busy);
        AtomicBoolean ran = new AtomicBoolean();
        long start = System.nanoTime();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> Closing.run(
                List.of(new Thing(mine), new Thing("queue", busy, () -> { })), () -> ran.set(true)));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis >= 200 && millis < 2000, millis + " ms");
        assertTrue(e.getMessage().contains("queue: thread stubborn"), e.getMessage());
        assertFalse(ran.get());
        assertNotEquals(0, mine.enter());
        mine.leave();
        insider.leave();
        Closing.run(List.of(new Thing(busy)), () -> ran.set(true));
        assertTrue(ran.get());
    }

    @Test
    void guestsAreWaitedFor() throws Exception {
        System.setProperty("jfabric.closeTimeoutMillis", "100");
        Entry entry = new SharedEntry(FID, true);
        assertEquals(FID, entry.enter());
        entry.leave();
        Insider guest = new Insider("guest", entry);
        assertThrows(IllegalStateException.class, () -> Closing.run(List.of(new Thing(entry)), () -> { }));
        guest.leave();
        Closing.run(List.of(new Thing(entry)), () -> { });
    }

    @Test
    void blockedWaitsAreWoken() throws Exception {
        Semaphore signal = new Semaphore(0);
        Entry entry = new Turnstile(FID, true);
        CountDownLatch in = new CountDownLatch(1);
        FutureTask<Void> waiter = start("waiter", () -> {
            assertEquals(FID, entry.enterToWait());
            in.countDown();
            signal.acquire();
            entry.leaveFromWait();
            assertEquals(0, entry.enter());
        });
        in.await();
        Closing.run(List.of(new Thing("queue", entry, signal::release)), entry::closed);
        waiter.get();
    }

    @Test
    void whoComesWhileClosingWaitsAndTheCloserPasses() throws Exception {
        Entry entry = new SharedEntry(FID, true);
        elsewhere(() -> {
            entry.enter();
            entry.leave();
        });
        AtomicBoolean closing = new AtomicBoolean();
        AtomicInteger early = new AtomicInteger();
        FutureTask<?>[] comer = new FutureTask<?>[1];
        Closing.run(List.of(new Thing(entry)), () -> {
            closing.set(true);
            comer[0] = start("comer", () -> {
                assertEquals(FID, entry.enter());
                early.set(closing.get() ? 1 : 0);
                entry.leave();
            });
            assertEquals(FID, entry.enter());
            entry.leave();
            // nested
            Closing.run(List.of(new Thing(entry)), () -> { });
            sleep(100);
            assertFalse(comer[0].isDone());
            closing.set(false);
        });
        comer[0].get();
        assertEquals(0, early.get());
    }

    @Test
    void anInterruptDoesNotEndTheWaitForACloser() throws Exception {
        for (boolean guest : List.of(true, false)) {
            Entry entry = new SharedEntry(FID, true);
            AtomicBoolean closing = new AtomicBoolean(true);
            AtomicInteger early = new AtomicInteger();
            FutureTask<?>[] comer = new FutureTask<?>[1];
            Closing.run(List.of(new Thing(entry)), () -> {
                comer[0] = start("comer", () -> {
                    Thread.currentThread().interrupt();
                    assertEquals(FID, guest ? entry.enterAsGuest() : entry.enter());
                    early.addAndGet(closing.get() ? 1 : 0);
                    assertTrue(Thread.interrupted());
                });
                sleep(50);
                assertFalse(comer[0].isDone());
                closing.set(false);
            });
            comer[0].get();
            assertEquals(0, early.get());
        }
    }

    @Test
    void closingFromInsideANativeCallIsRefused() {
        for (Entry entry : List.of(new SharedEntry(FID, true), new Turnstile(FID, true))) {
            entry.enter();
            assertThrows(IllegalStateException.class, () -> Closing.run(List.of(new Thing(entry)), () -> { }));
            entry.leave();
        }
    }

    @Test
    void aHandlerMayCloseAndPoll() throws Exception {
        for (Turnstile entry : withoutAndWithFlag()) {
            assertEquals(FID, entry.enter());
            entry.handling();
            assertEquals(FID, entry.enter());
            entry.leave();
            elsewhere(() -> assertEquals(0, entry.enter()));
            Closing.run(List.of(new Thing(entry)), entry::closed);
            assertEquals(0, entry.enter());
            entry.handled();
        }
    }

    @Test
    void anotherThreadMayCloseWhileAHandlerRuns() throws Exception {
        for (Turnstile entry : withoutAndWithFlag()) {
            assertEquals(FID, entry.enter());
            entry.handling();
            elsewhere(() -> Closing.run(List.of(new Thing(entry)), entry::closed));
            entry.handled();
            assertEquals(0, entry.enter());
        }
    }

    @Test
    void aThreadWithoutANameHasANumber() throws Exception {
        Turnstile entry = withoutAndWithFlag().getFirst();
        Insider poller = new Insider("", entry);
        assertEquals(0, entry.enter());
        assertTrue(entry.refusal().contains("in use by thread (#"), entry.refusal());
        poller.leave();
    }

    @Test
    void aSecondPollerIsRefused() throws Exception {
        for (Turnstile entry : withoutAndWithFlag()) {
            Insider poller = new Insider("poller", entry);
            assertEquals(0, entry.enter());
            assertTrue(entry.refusal().contains("in use by thread poller (#"), entry.refusal());
            assertEquals(FID, entry.enterAsGuest());
            entry.leaveAsGuest();
            poller.leave();
            assertEquals(FID, entry.enter());
            entry.leave();
        }
    }

    @Test
    void aQueueGoesFromHandToHand() throws Exception {
        Turnstile entry = new Turnstile(FID, true);
        int threads = 2;
        int turns = 2000;
        int[] unguarded = new int[1];
        AtomicInteger whose = new AtomicInteger();
        FutureTask<?>[] tasks = new FutureTask<?>[threads];
        for (int t = 0; t < threads; t++) {
            int me = t;
            tasks[t] = start("hand " + t, () -> {
                for (int i = 0; i < turns; i++) {
                    Waits.spin("it is my turn", () -> whose.get() == me);
                    assertEquals(FID, entry.enter());
                    unguarded[0]++;
                    entry.leave();
                    whose.set((me + 1) % threads);
                }
            });
        }
        for (FutureTask<?> task : tasks) {
            task.get();
        }
        assertEquals(threads * turns, unguarded[0]);
    }

    @Test
    void onlyOneHasATurn() throws Exception {
        // no agreement between the threads: every turn that is granted is exclusive, in all modes
        for (int round = 0; round < 300; round++) {
            Turnstile entry = new Turnstile(FID, true);
            AtomicInteger inside = new AtomicInteger();
            int[] granted = new int[1];
            AtomicInteger counted = new AtomicInteger();
            FutureTask<?>[] tasks = new FutureTask<?>[3];
            for (int t = 0; t < tasks.length; t++) {
                tasks[t] = start("turn " + t, () -> {
                    for (int i = 0; i < 2000; i++) {
                        if (entry.enter() != 0) {
                            assertEquals(1, inside.incrementAndGet());
                            granted[0]++;
                            counted.incrementAndGet();
                            entry.handling();
                            assertEquals(0, inside.decrementAndGet());
                            entry.handled();
                        }
                    }
                });
            }
            for (FutureTask<?> task : tasks) {
                task.get();
            }
            assertEquals(counted.get(), granted[0]);
        }
    }

    @Test
    void virtualThreads() throws Exception {
        Entry entry = new SharedEntry(FID, true);
        Thread[] threads = new Thread[500];
        AtomicInteger entered = new AtomicInteger();
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(() -> {
                for (int k = 0; k < 100; k++) {
                    if (entry.enter() == FID) {
                        entered.incrementAndGet();
                        entry.leave();
                    }
                }
            });
        }
        for (int i = 0; i < 20; i++) {
            Closing.run(List.of(new Thing(entry)), () -> { });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(50_000, entered.get());
        Closing.run(List.of(new Thing(entry)), () -> { });
    }

    @Test
    void leaksAreListedWithTheirPlace() {
        Object opened = new Object();
        Leaks.Tracker endpoint = Leaks.track(opened, "test endpoint", Leaks.Often.SELDOM);
        Leaks.Tracker region = Leaks.track(opened, "test region", Leaks.Often.OFTEN);
        List<OpenObject> open = openHere();
        assertEquals(List.of("test endpoint", "test region"), open.stream().map(OpenObject::kind).toList());
        assertEquals("leaksAreListedWithTheirPlace", place(open.getFirst()));
        assertTrue(open.getLast().openedHere().isEmpty());
        endpoint.closed();
        region.closed();
        region.closed();
        assertTrue(openHere().isEmpty());
    }

    /** Other tests of the process may leave something open. */
    private static List<OpenObject> openHere() {
        return Leaks.open().stream().filter(open -> open.kind().startsWith("test ")).toList();
    }

    private static String place(OpenObject open) {
        for (StackTraceElement element : open.openedHere().orElseThrow().getStackTrace()) {
            if (element.getClassName().equals(LifeTest.class.getName())) {
                return element.getMethodName();
            }
        }
        return null;
    }

    @Test
    void leaksAreForgottenWhenCollected() throws InterruptedException {
        Leaks.track(new Object(), "test garbage", Leaks.Often.OFTEN);
        for (int i = 0; i < 100 && !openHere().isEmpty(); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertTrue(openHere().isEmpty());
    }

    private static List<Turnstile> withoutAndWithFlag() throws Exception {
        List<Turnstile> entries = List.of(new Turnstile(FID, true), new Turnstile(FID, true));
        makeFlag(entries.get(1));
        return entries;
    }

    private static void makeFlag(Turnstile entry) throws Exception {
        for (int i = 0; i < 20; i++) {
            entry.enter();
            entry.leave();
            elsewhere(() -> {
                entry.enter();
                entry.leave();
            });
        }
        // the threads above have ended, so nothing was taken from the living: do that
        for (int i = 0; i < 20; i++) {
            CountDownLatch done = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            FutureTask<Void> other = start("other", () -> {
                entry.enter();
                entry.leave();
                done.countDown();
                end.await();
            });
            done.await();
            entry.enter();
            entry.leave();
            end.countDown();
            other.get();
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
