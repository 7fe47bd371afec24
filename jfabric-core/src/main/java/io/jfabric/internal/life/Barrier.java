// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.lang.foreign.Arena;

/**
 * A memory barrier in all threads at once, so that a hot path needs none of its own (asymmetric Dekker).
 *
 * <p><b>The problem.</b> A thread stores "I am inside" and loads the handle; the closer stores handle 0 and loads "is
 * somebody inside". If each does its two in order, at least one sees the other. Processors, x86 too, let a load
 * overtake an earlier store to another address, unless there is a fence, at 5-20 ns per call. (Measured on x86 without
 * the barrier: one use after free in 100,000 to 500,000 closes under an owner that enters all the time; BarrierTest.)
 *
 * <p><b>Why this is enough.</b> {@code Arena.ofShared().close()} must find out that no thread is inside an access to
 * the arena, and for that HotSpot does a handshake with every thread ({@code ScopedMemoryAccess::closeScope},
 * {@code Handshake::execute}). It returns when each thread has, once since the call,
 * <ul>
 *   <li>been stopped at a safepoint poll in Java code, having passed locks and fences there. A poll is before the
 *       store, between store and load, or after the load. Before or between: the load is after the closer's store and
 *       sees 0. Between or after: the store is before the closer's load, which sees it;
 *   <li>or been found in native code or blocked, and dealt with on its behalf. On its way there it has stored its state
 *       after all earlier stores, and HotSpot orders that with the look at it (a fence in the thread, or
 *       {@code membarrier} when run with {@code -XX:+UseSystemMemoryBarrier}); on its way back it looks for a
 *       handshake, so what it loads later is after the closer's store.
 * </ul>
 * Threads started later begin after a synchronisation. A virtual thread cannot be taken off its carrier between store
 * and load, and goes from one carrier to another through a synchronisation.
 *
 * <p><b>The compiler</b> must keep the order, too. Java's memory model does not promise that a load stays behind a
 * store to another variable with an acquire fence between them. C2 keeps it there: no memory access crosses its node
 * for a fence, which on x86 is no instruction, nor an access through a VarHandle that is not plain
 * ({@code C2Access::needs_cpu_membar}). C1 and the interpreter do not reorder such accesses. This is about HotSpot,
 * which is what jfabric runs on.
 *
 * <p><b>Coming in again</b> needs more than this: the closer gives the handle back by a release store, and who loads it
 * has an acquire fence behind the load, so that it sees what was done while it was kept out.
 *
 * <p><b>Cost</b>: some 10-100 microseconds, more with many threads, or with one that is long without a safepoint poll
 * (it must be waited for). Any thread may call this.
 */
public final class Barrier {
    private Barrier() {
    }

    /** Returns when all threads have passed a barrier that began after the call. */
    public static void allThreads() {
        Arena.ofShared().close();
    }
}
