// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@link Caller}: counts how its calls end, and knows how long they may take. */
public abstract sealed class CountedCaller implements Caller permits CallerImpl, LastingCaller {
    final Outcomes outcomes;

    CountedCaller(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    abstract CallerOptions options();

    @Override
    public final CompletableFuture<byte[]> call(byte[] request) {
        return call(request, options().deadline());
    }

    @Override
    public final CompletableFuture<MemorySegment> call(MemorySegment request, MemorySegment answer) {
        return call(request, answer, options().deadline());
    }

    @Override
    public final CompletableFuture<MemorySegment> call(List<MemorySegment> request, MemorySegment answer) {
        return call(request, answer, options().deadline());
    }

    @Override
    public final long answered() {
        return outcomes.answered.sum();
    }

    @Override
    public final long refused() {
        return outcomes.refused.sum();
    }

    @Override
    public final long late() {
        return outcomes.late.sum();
    }

    @Override
    public final long failed() {
        return outcomes.failed.sum();
    }
}
