// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.async.Group;
import io.jfabric.internal.combine.Combiner;
import io.jfabric.internal.ffi.Errno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A group without its deadline: its name, the operations under way, and whether it can still be used. */
final class Core {
    final Transport transport;
    final String name;
    /** Null until the group is first shrunk. */
    private volatile Shrinking shrinking;
    private final Registry registry;
    /** Tells it from groups of other names. */
    final long id;
    /** In its tags. */
    private final int number;
    private final int turn;
    /** Operations under way by their numbers, the oldest first. */
    private final Map<Integer, Running> running = new LinkedHashMap<>();
    /** Why members are gone, by rank. */
    private final Map<Integer, FabricException> gone = new ConcurrentHashMap<>();
    private final List<Runnable> listening = new ArrayList<>();
    private final CompletableFuture<Void> ended;
    private int next;
    private boolean closed;
    private boolean abandoned;
    private Throwable broken;
    /** The failure at a member that ends most operations; all know it, or are being told. Null if none. */
    private Failure known;

    Core(Transport transport, Registry registry, String name) {
        this(transport, registry, name, null);
    }

    private Core(Transport transport, Registry registry, String name, Shrinking shrinking) {
        if (transport.size() > Tags.MEMBERS) {
            throw new IllegalArgumentException("a group has at most " + Tags.MEMBERS + " members, not "
                    + transport.size());
        }
        this.transport = transport;
        this.registry = registry;
        this.name = name;
        this.shrinking = shrinking;
        this.ended = transport.end("Group.ended");
        this.id = Tags.id(name);
        this.number = Tags.number(id);
        String refusal = registry.take(this);
        this.turn = registry.turn(id);
        if (refusal != null) {
            refuse(refusal);
        }
        transport.opened(Tags.ofGroup(number));
        for (int i = 0; i < transport.size(); i++) {
            if (i != transport.rank()) {
                int rank = i;
                listening.add(transport.onGone(rank, why -> gone(rank, why)));
            }
        }
        Registry.Early early = registry.hears(this);
        if (early.failure() != null) {
            heard(early.failure());
        }
        early.losses().forEach(this::heard);
    }

    /** It cannot be made here: the others would wait for this member. */
    private void refuse(String why) {
        IllegalStateException refusal = new IllegalStateException(why);
        Failure failure = Failure.of(id, turn, transport.rank(), 0, "the group", refusal);
        others().forEach(rank -> transport.tell(rank, failure));
        throw refusal;
    }

    Core of(Transport members, String newName) {
        return new Core(members, registry, newName);
    }

    /** A group of those of its members that are left. */
    Core ofLeft(Transport members, String newName) {
        return new Core(members, registry, newName, shrinking);
    }

    /** That of the group from which this one came by shrinking. */
    Shrinking shrinking() {
        synchronized (running) {
            if (shrinking == null) {
                shrinking = new Shrinking(this);
            }
            return shrinking;
        }
    }

    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Why it is of no use any more; null if it is closed. */
    private void end(FabricException why) {
        transport.complete(ended, null, why);
    }

    /** Why the member of that rank is gone; null if it is not. */
    FabricException whyGone(int rank) {
        return gone.get(rank);
    }

    /** What it has failed with here; null if it has not, or only another member says so. */
    Throwable broken() {
        synchronized (running) {
            return broken;
        }
    }

    boolean isClosed() {
        synchronized (running) {
            return closed;
        }
    }

    /** The ranks whose messages are waited for. */
    int[] waitsFor() {
        synchronized (running) {
            return running.values().stream().map(Running::waitsFor).flatMapToInt(IntStream::of).distinct()
                    .sorted().toArray();
        }
    }

    CompletableFuture<Void> start(String operation, Duration deadline, Combiner combiner, Consumer<Schedule> plan) {
        int index;
        Running started;
        Failure before;
        synchronized (running) {
            requireUsable(operation);
            if (broken != null) {
                return failed(operation);
            }
            index = next;
            Schedule schedule = new Schedule(transport, combiner);
            try {
                plan.accept(schedule);
            } catch (RuntimeException | Error e) {
                schedule.release();
                throw e;
            }
            started = new Running(operation, transport, schedule, number, index,
                    problem -> failed(index, operation, problem), problem -> over(index, problem));
            next++;
            running.put(index, started);
            before = known;
        }
        // before anything goes to an address that may be somebody else's by now; what is heard later ends it by itself
        gone.forEach((rank, why) -> started.fail(Running.goneWith(operation, rank, why)));
        if (before != null && before.ends(index)) {
            started.fail(before.at(operation));
        }
        return started.start(deadline);
    }

    /** A member is gone: what is under way fails, and so does what is started from now on. */
    private void gone(int rank, FabricException why) {
        gone.put(rank, why);
        List<Running> all;
        synchronized (running) {
            all = new ArrayList<>(running.values());
        }
        List<Runnable> then = ends(all, one -> Running.goneWith(one.name(), rank, why));
        // with the node all peers are
        then.add(() -> end(transport.isOpen() ? Running.goneWith("group", rank, why) : null));
        Shrinking without = shrinking;
        if (without != null) {
            then.add(without::look);
        }
        transport.runAll(then);
    }

    /** What ends operations: a callback of one may wait for the next. */
    private static List<Runnable> ends(List<Running> all, Function<Running, Throwable> why) {
        List<Runnable> ends = new ArrayList<>();
        all.forEach(one -> ends.add(() -> one.fail(why.apply(one))));
        return ends;
    }

    private void requireUsable(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + ": the group is closed");
        }
        if (broken == null && !running.isEmpty() && next - running.keySet().iterator().next() >= Group.LIMIT) {
            Running oldest = running.values().iterator().next();
            throw new IllegalStateException(operation + ": " + Group.LIMIT + " operations of this group, the most, "
                    + "were started from the oldest that is under way on, " + oldest.name() + ": wait for that");
        }
    }

    /** A program cannot know that it has failed: so this is no exception, either. */
    private CompletableFuture<Void> failed(String operation) {
        FabricException why = FabricException.of(operation,
                broken instanceof FabricException e ? e.errno() : Errno.ECANCELED, "the group has failed before: "
                + Failure.reason(broken) + "; where a member has died, go on with what shrink gives, else with a new "
                + "group of another name");
        why.initCause(broken);
        CompletableFuture<Void> future = transport.future(operation);
        transport.free(future);
        transport.complete(future, null, why);
        return future;
    }

    /** Notes a failure here; returns what tells the others, and what ends the operations that follow. */
    private List<Runnable> failed(int index, String operation, Throwable problem) {
        synchronized (running) {
            broken = broken == null ? problem : broken;
        }
        Failure failure = Failure.of(id, turn, transport.rank(), index, operation, problem);
        if (!isNews(failure)) {
            return List.of();
        }
        List<Runnable> then = new ArrayList<>();
        others().forEach(rank -> then.add(() -> transport.tell(rank, failure)));
        then.addAll(endsWith(failure));
        return then;
    }

    /** The operations that cannot be completed any more, and the group. */
    private List<Runnable> endsWith(Failure failure) {
        List<Runnable> all = ends(endedBy(failure), one -> failure.at(one.name()));
        all.add(() -> end(failure.at("group")));
        return all;
    }

    /** Another member says that it has failed. */
    void heard(Failure failure) {
        if (failure.rank() < transport.size() && failure.rank() != transport.rank() && isNews(failure)) {
            transport.runAll(endsWith(failure));
            abandonIfOver();
        }
    }

    /** Another member says whom it has lost. */
    void heard(Lost lost) {
        if (!isClosed()) {
            transport.runAll(List.of(() -> shrinking().heard(lost.rank(), lost.ranks())));
        }
    }

    /** Tells another member whom this one has lost. */
    void tell(int rank, List<Integer> lost) {
        transport.tell(rank, new Lost(id, turn, transport.rank(), lost));
    }

    /** Notes a failure, so that nothing is started that it ends. False if an earlier one ends all that. */
    private boolean isNews(Failure failure) {
        synchronized (running) {
            if (known != null && known.ends(failure.operation())) {
                return false;
            }
            known = failure;
            return true;
        }
    }

    /** Those that a failure ends: operations before the failed one may still be completed by all. */
    private List<Running> endedBy(Failure failure) {
        synchronized (running) {
            return running.values().stream().filter(one -> failure.ends(one.operation())).toList();
        }
    }

    private void over(int index, Throwable problem) {
        synchronized (running) {
            running.remove(index);
            broken = broken == null ? problem : broken;
        }
        abandonIfOver();
    }

    /** When it has failed, and all before that is over: members may have gone on before they heard of it. */
    private void abandonIfOver() {
        synchronized (running) {
            boolean failed = broken != null || known != null && (closed || known.ends(next));
            if (abandoned || !failed || !running.isEmpty()) {
                return;
            }
            abandoned = true;
        }
        transport.abandon(Tags.ofGroup(number), Tags.ANY_OF_GROUP);
    }

    /** Starts nothing more, so that others need not wait for it. Done when they have been told, or cannot be. */
    CompletableFuture<Void> abort(String reason) {
        CompletableFuture<Void> told = transport.future("abort");
        CancellationException why = new CancellationException(reason);
        int index;
        synchronized (running) {
            if (closed || broken != null) {
                told.complete(null);
                return told;
            }
            broken = why;
            index = next;
        }
        Failure failure = Failure.of(id, turn, transport.rank(), index, "abort", why);
        CompletableFuture<?>[] words = isNews(failure)
                ? others().mapToObj(rank -> transport.tell(rank, failure)).toArray(CompletableFuture[]::new)
                : new CompletableFuture<?>[0];
        transport.runAll(List.of(() -> end(failure.at("group"))));
        abandonIfOver();
        CompletableFuture.allOf(words).whenComplete((sent, problem) -> transport.complete(told, null, null));
        return told;
    }

    /** In an order that differs from member to member, so that not all begin with the same one. */
    private IntStream others() {
        return IntStream.range(1, transport.size()).map(i -> (transport.rank() + i) % transport.size());
    }

    void close() {
        List<Running> left;
        boolean clean;
        synchronized (running) {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(running.values());
            clean = left.isEmpty() && broken == null && known == null;
        }
        listening.forEach(Runnable::run);
        List<Runnable> then = ends(left, one -> new IllegalStateException("the group was closed"));
        // first: what ends the others is no failure
        then.addFirst(() -> end(null));
        transport.runAll(then);
        // before another group can have that number
        transport.closed(Tags.ofGroup(number));
        // late messages of a failed group must not be taken for those of a new one
        registry.release(this, clean);
        abandonIfOver();
        if (shrinking != null) {
            shrinking.closed(this);
        }
    }
}
