// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The network of a subgroup, by way of the network of the whole group. */
final class Members implements Transport {
    private final Transport all;
    private final int[] ranks;
    private final int own;
    private final List<Peer> members;

    Members(Transport all, int... ranks) {
        this.all = all;
        this.ranks = ranks.clone();
        boolean[] seen = new boolean[all.size()];
        int found = -1;
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] < 0 || ranks[i] >= all.size() || seen[ranks[i]]) {
                throw new IllegalArgumentException("subgroup: rank " + ranks[i] + " is given twice, or is not one of "
                        + all.size() + " members");
            }
            seen[ranks[i]] = true;
            if (ranks[i] == all.rank()) {
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("subgroup: this member's own rank " + all.rank() + " is not among those "
                    + "of the new group; only its members make it");
        }
        this.own = found;
        this.members = IntStream.of(ranks).mapToObj(all.members()::get).toList();
    }

    @Override
    public int rank() {
        return own;
    }

    @Override
    public int size() {
        return ranks.length;
    }

    @Override
    public long longest() {
        return all.longest();
    }

    @Override
    public String whyLate() {
        return all.whyLate();
    }

    @Override
    public boolean gainsByEarlyReceives(long bytes) {
        return all.gainsByEarlyReceives(bytes);
    }

    @Override
    public boolean isOpen() {
        return all.isOpen();
    }

    @Override
    public List<Peer> members() {
        return members;
    }

    @Override
    public boolean hasThread() {
        return all.hasThread();
    }

    @Override
    public Object send(MemorySegment data, int to, long tag, long deadline, Listener listener) {
        return all.send(data, ranks[to], tag, deadline, listener);
    }

    @Override
    public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
        return all.receive(room, ranks[from], tag, deadline, listener);
    }

    @Override
    public void cancel(Object operation) {
        all.cancel(operation);
    }

    @Override
    public void whenReleased(Object operation, Runnable action) {
        all.whenReleased(operation, action);
    }

    @Override
    public Runnable onGone(int rank, Consumer<FabricException> listener) {
        return all.onGone(ranks[rank], listener);
    }

    @Override
    public boolean hasGivenUp(int rank) {
        return all.hasGivenUp(ranks[rank]);
    }

    @Override
    public Runnable onUnwatched(Runnable listener) {
        return all.onUnwatched(listener);
    }

    @Override
    public Runnable at(long moment, Runnable action) {
        return all.at(moment, action);
    }

    @Override
    public CompletableFuture<Void> tell(int rank, Failure failure) {
        return all.tell(ranks[rank], failure);
    }

    @Override
    public void tell(int rank, Lost lost) {
        all.tell(ranks[rank], lost);
    }

    @Override
    public void runAll(List<Runnable> actions) {
        all.runAll(actions);
    }

    @Override
    public MemorySegment allocate(long size) {
        return all.allocate(size);
    }

    @Override
    public void release(MemorySegment memory) {
        all.release(memory);
    }

    @Override
    public <T> CompletableFuture<T> future(String what) {
        return all.future(what);
    }

    @Override
    public CompletableFuture<Void> end(String method) {
        return all.end(method);
    }

    @Override
    public <T> void complete(CompletableFuture<T> future, T value, Throwable failure) {
        all.complete(future, value, failure);
    }

    @Override
    public void free(CompletableFuture<?> future) {
        all.free(future);
    }

    @Override
    public void abandon(long tag, long ignore) {
        all.abandon(tag, ignore);
    }

    @Override
    public void opened(long group) {
        all.opened(group);
    }

    @Override
    public void closed(long group) {
        all.closed(group);
    }

    @Override
    public void atEnd(Runnable action) {
        all.atEnd(action);
    }
}
