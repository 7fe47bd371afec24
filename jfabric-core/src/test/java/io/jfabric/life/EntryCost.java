// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import io.jfabric.internal.life.Closing;
import io.jfabric.internal.life.Entry;
import io.jfabric.internal.life.Guarded;
import io.jfabric.internal.life.SharedEntry;
import io.jfabric.internal.life.Turnstile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Prints what entering costs, in nanoseconds: a loop by hand, to be run alone. */
final class EntryCost {
    private static final int CALLS = 40_000_000;
    private static final MethodHandle ABS = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("labs"),
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static long sink;

    private EntryCost() {
    }

    private interface Loop {
        long run(Entry entry, int calls) throws Throwable;
    }

    public static void main(String[] args) throws Throwable {
        for (int i = 0; i < Integer.getInteger("repeats", 3); i++) {
            measure("native call alone", CALLS, EntryCost::bare, new SharedEntry(1, true));
            measure("owner, with native call", CALLS, EntryCost::around, new SharedEntry(1, true));
            measure("owner, nothing inside", CALLS, EntryCost::empty, new SharedEntry(1, true));
            measure("turnstile's owner", CALLS, EntryCost::empty, new Turnstile(1, true));
            measure("guest", CALLS / 4, EntryCost::empty, ownedByAnother(new SharedEntry(1, true)));
            measure("guest, with native call", CALLS / 4, EntryCost::around, ownedByAnother(new SharedEntry(1, true)));
            measure("turnstile by flag", CALLS / 4, EntryCost::empty, byFlag());
            measure("as guest", CALLS / 4, EntryCost::asGuest, new SharedEntry(1, true));
            measure("barrier", 2000, EntryCost::barrier, null);
            measure("close of 4, all mine", 100_000, EntryCost::close, mine());
            measure("close of 4, one another's", 2000, EntryCost::close, ownedByAnother(new SharedEntry(1, true)));
        }
        System.out.println(sink);
        System.exit(0);
    }

    private static void measure(String what, int calls, Loop loop, Entry entry) throws Throwable {
        int part = calls / 20;
        double cpu = Double.MAX_VALUE;
        double clock = Double.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            // the best of twenty: the machine may be busy
            long start = System.nanoTime();
            long time = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            sink += loop.run(entry, part);
            cpu = Math.min(cpu, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - time) / (double) part);
            clock = Math.min(clock, (System.nanoTime() - start) / (double) part);
        }
        System.out.printf("%-28s %10.2f ns of this thread's time, %10.2f ns by the clock%n", what, cpu, clock);
    }

    private static long bare(Entry entry, int calls) throws Throwable {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += (long) ABS.invokeExact((long) i);
        }
        return sum;
    }

    private static long around(Entry entry, int calls) throws Throwable {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            long h = entry.enter();
            try {
                sum += (long) ABS.invokeExact(h);
            } finally {
                entry.leave();
            }
        }
        return sum;
    }

    private static long empty(Entry entry, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += entry.enter();
            entry.leave();
        }
        return sum;
    }

    private static long asGuest(Entry entry, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += entry.enterAsGuest();
            entry.leaveAsGuest();
        }
        return sum;
    }

    private static long barrier(Entry entry, int calls) {
        for (int i = 0; i < calls; i++) {
            Arena.ofShared().close();
        }
        return calls;
    }

    private static long close(Entry entry, int calls) {
        Entry other = mine();
        List<Guarded> group = List.of(() -> entry, () -> other, EntryCost::mine, EntryCost::mine);
        group = group.stream().map(g -> {
            Entry e = g.entry();
            return (Guarded) () -> e;
        }).toList();
        for (int i = 0; i < calls; i++) {
            Closing.run(group, () -> { });
        }
        return calls;
    }

    private static Entry mine() {
        Entry entry = new SharedEntry(1, true);
        entry.enter();
        entry.leave();
        return entry;
    }

    private static Entry ownedByAnother(Entry entry) throws InterruptedException {
        Thread thread = new Thread(() -> {
            entry.enter();
            entry.leave();
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        Thread.sleep(50);
        return entry;
    }

    private static Entry byFlag() throws InterruptedException {
        Entry entry = new Turnstile(1, true);
        for (int i = 0; i < 20; i++) {
            ownedByAnother(entry);
        }
        return entry;
    }
}
