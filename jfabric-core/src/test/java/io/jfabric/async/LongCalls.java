// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Resident;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Long calls in a process of its own, with memory that does not grow by itself: see {@link NothingIsLeftTest}. */
final class LongCalls {
    private static final int LONG = 64 << 10;
    /** At once: on a busy machine each time somebody waits takes milliseconds. */
    private static final int BATCH = 20;
    private static final int WARM_UP = 25;
    private static final int BATCHES = 100;

    private LongCalls() {
    }

    /** Says by how many KiB the process grew. */
    public static void main(String[] args) throws Exception {
        try (Hints hints = Hints.rdm().provider(args[0]).capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 1, call -> call.answer(call.request().asSlice(0, 8)));
                Caller caller = Caller.open(a.peer(b.address()), 1)) {
            MemorySegment request = a.allocate(LONG);
            MemorySegment answer = a.allocate(8 * BATCH);
            call(caller, request, answer, WARM_UP);
            long before = Resident.bytes("RssAnon") >> 10;
            call(caller, request, answer, BATCHES);
            System.out.println("grew " + ((Resident.bytes("RssAnon") >> 10) - before));
        }
    }

    private static void call(Caller caller, MemorySegment request, MemorySegment answers, int batches) {
        for (int i = 0; i < batches; i++) {
            CompletableFuture.allOf(IntStream.range(0, BATCH).mapToObj(n -> caller.call(request,
                    answers.asSlice(n * 8L, 8), CallerOptions.DEFAULT.deadline())).toArray(CompletableFuture[]::new))
                    .join();
        }
    }
}
