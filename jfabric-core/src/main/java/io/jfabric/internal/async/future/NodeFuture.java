// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A future whose waiters make progress for the node that completes it; so do those of futures derived from it. */
public class NodeFuture<T> extends CompletableFuture<T> {
    private final Progress progress;

    public NodeFuture(Progress progress) {
        this.progress = progress;
    }

    protected final Progress progress() {
        return progress;
    }

    /** Whether it is a future of that node. */
    public final boolean isOf(Progress node) {
        return progress == node;
    }

    /** What was waited for, for exceptions; empty if it is nothing by itself. */
    public String described() {
        return "";
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new NodeFuture<>(progress);
    }

    /** The failure without what derived futures have wrapped around it. */
    public static Throwable cause(Throwable failure) {
        Throwable why = failure;
        while (why instanceof CompletionException && why.getCause() != null) {
            why = why.getCause();
        }
        return why;
    }

    /** Completes it with a failure or, if that is null, a value: in the program's executor if there is one. */
    public final void hand(T value, Throwable failure) {
        if (progress.completing().isDirect()) {
            completeNow(value, failure);
        } else {
            progress.completing().run(() -> completeNow(value, failure));
        }
    }

    /** Completes it now; the program's way may have to wait for what is under way. False if it was done before. */
    protected boolean completeNow(T value, Throwable failure) {
        return failure == null ? super.complete(value) : super.completeExceptionally(failure);
    }

    /** Whether it is done with this very value. */
    protected final boolean gave(T value) {
        return isDone() && !isCompletedExceptionally() && resultNow() == value;
    }

    /** Whether it is done with this very failure. */
    protected final boolean failedWith(Throwable why) {
        return isDone() && handle((value, failure) -> failure).join() == why;
    }

    /** As for any other way in which the program completes it: what is under way is given up. */
    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        Objects.requireNonNull(supplier, "completeAsync: the supplier is null");
        Objects.requireNonNull(executor, "completeAsync: the executor is null").execute(() -> {
            if (isDone()) {
                return;
            }
            T result;
            try {
                result = supplier.get();
            } catch (Throwable failure) {
                completeExceptionally(new CompletionException(failure));
                return;
            }
            complete(result);
        });
        return this;
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return after(timeout, unit, () -> completeExceptionally(new TimeoutException()));
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        return after(timeout, unit, () -> complete(value));
    }

    /** Not in the timers' thread, which serves everybody: giving up what is under way makes progress. */
    private CompletableFuture<T> after(long timeout, TimeUnit unit, Runnable ends) {
        CompletableFuture<Void> timer = new CompletableFuture<Void>().completeOnTimeout(null, timeout, unit);
        timer.thenRun(() -> Aside.start(() -> {
            ends.run();
            awaitHeld();
        }));
        whenComplete((value, failure) -> timer.cancel(false));
        return this;
    }

    /** When it ends at the latest, if it was given up but only the provider may end it until then; else 0. */
    public long endOfHold() {
        return 0;
    }

    /** A timer was to end it: makes the progress that this takes, if it is not over yet. */
    protected void awaitHeld() {
        // usually it has
    }

    @Override
    public void obtrudeValue(T value) {
        obtrude(complete(value), () -> super.obtrudeValue(value));
    }

    @Override
    public void obtrudeException(Throwable failure) {
        obtrude(completeExceptionally(failure), () -> super.obtrudeException(failure));
    }

    private void obtrude(boolean isCompleted, Runnable anew) {
        if (isDone()) {
            if (!isCompleted) {
                anew.run();
            }
        } else {
            // not before the memory is the program's again
            whenComplete((value, failure) -> anew.run());
        }
    }

    @Override
    public T join() {
        if (!isDone()) {
            progress.await(this, Clock.NEVER, false);
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            progress.await(this, Clock.NEVER, true);
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone()) {
            return super.get(timeout, unit);
        }
        long end = Clock.after(unit.toNanos(timeout));
        progress.await(this, end, true);
        return super.get(Math.max(0, Clock.left(end)), TimeUnit.NANOSECONDS);
    }
}
