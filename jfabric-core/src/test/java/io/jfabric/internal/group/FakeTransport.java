// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Sends at once, receives nothing, and keeps what is cancelled. */
class FakeTransport implements Transport {
    final Arena arena = Arena.ofAuto();
    final List<MemorySegment> allocated = new ArrayList<>();
    final List<MemorySegment> released = new ArrayList<>();
    final List<Runnable> letGo = new ArrayList<>();
    final List<Listener> receives = new ArrayList<>();
    final List<CompletableFuture<?>> freed = new ArrayList<>();
    final List<Runnable> atEnd = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    /** Of what was told. */
    final List<Integer> turns = new ArrayList<>();
    final List<String> lost = new ArrayList<>();
    final List<Long> abandoned = new ArrayList<>();
    private final int rank;
    private final int size;

    FakeTransport(int rank, int size) {
        this.rank = rank;
        this.size = size;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long longest() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean gainsByEarlyReceives(long bytes) {
        return false;
    }

    @Override
    public String whyLate() {
        return "";
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public List<Peer> members() {
        return Collections.nCopies(size, null);
    }

    @Override
    public boolean hasThread() {
        return true;
    }

    @Override
    public Object send(MemorySegment data, int to, long tag, long deadline, Listener listener) {
        listener.ended(0, null);
        return "send";
    }

    @Override
    public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
        receives.add(listener);
        return listener;
    }

    @Override
    public void cancel(Object operation) {
        if (operation instanceof Listener receive) {
            receive.ended(0, new CancellationException());
        }
    }

    @Override
    public void whenReleased(Object operation, Runnable action) {
        if (operation instanceof Listener) {
            letGo.add(action);
        } else {
            action.run();
        }
    }

    @Override
    public Runnable onGone(int rank, Consumer<FabricException> listener) {
        return () -> { };
    }

    @Override
    public boolean hasGivenUp(int other) {
        return false;
    }

    @Override
    public Runnable onUnwatched(Runnable listener) {
        return () -> { };
    }

    @Override
    public Runnable at(long moment, Runnable action) {
        return () -> { };
    }

    @Override
    public CompletableFuture<Void> tell(int rank, Failure failure) {
        told.add(rank + " " + failure.operation() + " " + failure.reason());
        turns.add(failure.turn());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void tell(int rank, Lost word) {
        lost.add(rank + " " + word.ranks());
    }

    @Override
    public void runAll(List<Runnable> actions) {
        actions.forEach(Runnable::run);
    }

    @Override
    public MemorySegment allocate(long size) {
        MemorySegment memory = arena.allocate(size);
        allocated.add(memory);
        return memory;
    }

    @Override
    public void release(MemorySegment memory) {
        released.add(memory);
    }

    @Override
    public <T> CompletableFuture<T> future(String what) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> end(String method) {
        return new CompletableFuture<>();
    }

    @Override
    public <T> void complete(CompletableFuture<T> future, T value, Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    @Override
    public void free(CompletableFuture<?> future) {
        freed.add(future);
    }

    @Override
    public void abandon(long tag, long ignore) {
        abandoned.add(tag);
    }

    @Override
    public void opened(long group) { }

    @Override
    public void closed(long group) { }

    @Override
    public void atEnd(Runnable action) {
        atEnd.add(action);
    }
}
