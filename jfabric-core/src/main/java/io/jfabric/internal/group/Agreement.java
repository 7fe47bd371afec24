// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.combine.Combiner;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The members that are left make a group of their own, in which they find the least of their numbers. */
final class Agreement {
    /** The new group. */
    final Core group;
    /** The ranks of its members in the group that is being shrunk. */
    private final int[] left;
    private final long[] least = new long[1];
    /** Null until it is begun. */
    private volatile CompletableFuture<Void> done;

    Agreement(Core group, int... left) {
        this.group = group;
        this.left = left;
    }

    /** Calls {@code over} with null when all have come, or with the reason why they cannot. */
    void begin(long number, Consumer<Throwable> over) {
        CompletableFuture<Void> begun = group.start("shrink", NodeOptions.NO_DEADLINE,
                new Combiner(Datatype.INT64, AtomicOp.MIN), schedule -> plan(schedule, number));
        done = begun;
        begun.whenComplete((nothing, why) -> over.accept(why));
    }

    /** Works in memory that stays the operation's as long as messages may use it, whatever becomes of it. */
    private void plan(Schedule schedule, long number) {
        MemorySegment both = schedule.scratch(Long.BYTES);
        both.set(ValueLayout.JAVA_LONG, 0, number);
        Reductions.all(schedule, both, both, Long.BYTES);
        schedule.copy(both, MemorySegment.ofArray(least));
    }

    long least() {
        return least[0];
    }

    /** The ranks of its members in the group that is being shrunk. */
    int[] members() {
        return left;
    }

    /** The ranks, in the group that is being shrunk, whose messages are waited for here. */
    int[] waitsFor() {
        return IntStream.of(group.waitsFor()).map(rank -> left[rank]).toArray();
    }

    /** Not all will come. Unless they have, what {@link #begin} has called is told. */
    void fail(Throwable why) {
        CompletableFuture<Void> begun = done;
        if (begun != null) {
            begun.completeExceptionally(why);
        }
    }

    /** This member does not go on with it, and others need not wait. */
    void end(Throwable why) {
        fail(why);
        // in case it was done before
        group.abort("its shrink has failed: " + Failure.reason(why));
        group.close();
    }
}
