// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.launch.JobException;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Uninterrupted;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToIntFunction;

/**
 * Native calls, in threads of their own, as launchers do not all keep the time-out that they are asked for: a call that
 * is late is left to itself. The last one ends the library, which must find nobody inside who would come back soon.
 */
final class Calls {
    private static final Duration FOR_ANSWERS = Duration.ofSeconds(5);
    /** Calls that wait for other ranks may wait for ever. */
    private static final Duration FOR_OTHERS = Duration.ofMillis(500);

    private final Executor executor;
    /** Those that are not back yet. */
    private final Set<Call> inside = new HashSet<>();
    private boolean closed;

    /** One call, and whether it waits for other ranks. */
    static final class Call {
        private final CompletableFuture<Integer> status = new CompletableFuture<>();
        private final boolean waits;

        private Call(boolean waits) {
            this.waits = waits;
        }
    }

    Calls(Executor executor) {
        this.executor = executor;
    }

    /** One that the launcher answers at once. */
    int answer(String what, Deadline deadline, ToIntFunction<Arena> call) {
        return now(what, start(what, false, call), deadline);
    }

    /** One that waits for other ranks, at most until the deadline. */
    int waiting(String what, Deadline deadline, ToIntFunction<Arena> call) {
        return now(what, start(what, true, call), deadline);
    }

    private static int now(String what, Call call, Deadline deadline) {
        try {
            return result(what, call, deadline.millis());
        } catch (TimeoutException e) {
            throw new JobException(what + ": the launcher has not answered within " + deadline, e);
        }
    }

    /** With memory that lives as long as the call. */
    synchronized Call start(String what, boolean waits, ToIntFunction<Arena> call) {
        if (closed) {
            throw closed(what);
        }
        return begin(new Call(waits), call);
    }

    private Call begin(Call one, ToIntFunction<Arena> call) {
        inside.add(one);
        executor.execute(() -> {
            try (Arena arena = Arena.ofConfined()) {
                one.status.complete(call.applyAsInt(arena));
            } catch (Throwable e) {
                one.status.completeExceptionally(e);
            } finally {
                back(one);
            }
        });
        return one;
    }

    private synchronized void back(Call one) {
        inside.remove(one);
        notifyAll();
    }

    static int result(String what, Call call, long millis) throws TimeoutException {
        try {
            return call.status.get(Math.max(1, millis), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new JobException(what + ": " + e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobException(what + ": interrupted", e);
        }
    }

    private static JobException closed(String what) {
        return new JobException(what + ": the job is closed");
    }

    /** Whoever waits for a call goes on at once; the calls themselves have a moment. No other begins after the last. */
    int last(String what, Deadline deadline, ToIntFunction<Arena> call) {
        Call last = new Call(false);
        synchronized (this) {
            closed = true;
            inside.forEach(one -> one.status.completeExceptionally(new JobException("the job is closed")));
            Deadline answers = Deadline.in(FOR_ANSWERS);
            Deadline others = Deadline.in(FOR_OTHERS);
            Uninterrupted.await(() -> awaitBack(answers, false));
            Uninterrupted.await(() -> awaitBack(others, true));
            begin(last, call);
        }
        return now(what, last, deadline);
    }

    private void awaitBack(Deadline deadline, boolean waits) throws InterruptedException {
        while (!deadline.passed() && inside.stream().anyMatch(one -> one.waits == waits)) {
            wait(Math.max(1, deadline.millis()));
        }
    }
}
