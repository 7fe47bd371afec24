// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.idle;

import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.FabricException;
import io.jfabric.async.IdleStrategy;
import io.jfabric.async.Retry;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Seconds;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** {@link Retry}. */
public final class RetryImpl implements Retry {
    private static final int BATCH = 64;

    private final Duration deadline;
    private final IdleTimes times;

    private RetryImpl(Duration deadline, IdleTimes times) {
        this.deadline = deadline;
        this.times = times;
    }

    public static RetryImpl of(Duration deadline, IdleStrategy idle) {
        return new RetryImpl(Arguments.notNegative(deadline, "Retry.within", "the deadline"),
                IdleTimes.of(Arguments.given(idle, "Retry.within", "the idle strategy")));
    }

    @Override
    public void post(BooleanSupplier operation, CompletionQueue queue, CompletionHandler handler) {
        Arguments.given(operation, "Retry.post", "the operation");
        repeat("Retry.post", operation, queue, handler, "the provider did not take the operation within "
                + Seconds.text(deadline) + ": the peer cannot be reached, is gone or does not poll, or the queue is "
                + "not the endpoint's");
    }

    @Override
    public void await(BooleanSupplier happened, CompletionQueue queue, CompletionHandler handler) {
        Arguments.given(happened, "Retry.await", "the condition");
        repeat("Retry.await", happened, queue, handler, "it did not happen within " + Seconds.text(deadline));
    }

    private void repeat(String what, BooleanSupplier attempt, CompletionQueue queue, CompletionHandler handler,
            String late) {
        Arguments.given(queue, what, "the queue");
        Arguments.given(handler, what, "the handler");
        if (attempt.getAsBoolean()) {
            return;
        }
        long end = Clock.after(deadline);
        Idling idling = new Idling(times);
        while (true) {
            boolean found = queue.poll(handler, BATCH) > 0;
            if (attempt.getAsBoolean()) {
                return;
            }
            long left = Clock.left(end);
            if (left <= 0) {
                throw FabricException.of(what, Errno.ETIMEDOUT, late);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw FabricException.of(what, Errno.EINTR, "the thread was interrupted");
            }
            if (found) {
                idling.reset();
            } else {
                idling.idle(left);
            }
        }
    }
}
