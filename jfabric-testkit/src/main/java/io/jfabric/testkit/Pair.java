// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Two connectionless endpoints of one provider in one process and domain, each with its own completion queue and
 * address vector, that know each other. Nothing here waits longer than {@link #DEADLINE}; every wait progresses both
 * sides. One thread at a time.
 */
public final class Pair implements AutoCloseable {
    /** For each wait. */
    public static final Duration DEADLINE = ChildJvm.DEADLINE;

    /** What everything was opened with. */
    public final FabricInfo info;
    /** The owner of all below. */
    public final Fabric fabric;
    /** Where both endpoints are. */
    public final Domain domain;
    /** One side. */
    public final Side a;
    /** The other side. */
    public final Side b;

    private Pair(FabricInfo info, CompletionQueueAttributes queue, Consumer<Endpoint> beforeEnable) {
        this.info = info;
        fabric = Fabric.open(info);
        try {
            domain = fabric.openDomain(info);
            a = Side.open(domain, info, queue, beforeEnable);
            b = Side.open(domain, info, queue, beforeEnable);
            a.peer = a.addresses.insert(b.endpoint.address().bytes());
            b.peer = b.addresses.insert(a.endpoint.address().bytes());
        } catch (Throwable t) {
            fabric.close();
            throw t;
        }
    }

    /** Queues of format TAGGED. */
    public static Pair open(Providers.Choice choice) {
        return open(choice, hints -> { });
    }

    /**
     * Queues of format TAGGED; {@code more} adds hints. Where these are capabilities, the endpoints have no others.
     */
    public static Pair open(Providers.Choice choice, Consumer<Hints> more) {
        return open(choice, more, CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> { });
    }

    /** Everything; {@code beforeEnable} can bind more to each endpoint. */
    public static Pair open(Providers.Choice choice, Consumer<Hints> more, CompletionQueueAttributes queue,
            Consumer<Endpoint> beforeEnable) {
        try (FabricInfoList infos = choice.find(more)) {
            return open(infos.first().duplicate(), queue, beforeEnable, info -> { });
        }
    }

    /** As if the provider had offered this: {@code change} edits its info before anything is opened from it. */
    public static Pair openChanged(Providers.Choice choice, Consumer<Hints> more, Consumer<FabricInfo> change) {
        try (FabricInfoList infos = choice.find(more)) {
            return open(infos.first().duplicate(), CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                    endpoint -> { }, change);
        }
    }

    private static Pair open(FabricInfo info, CompletionQueueAttributes queue, Consumer<Endpoint> beforeEnable,
            Consumer<FabricInfo> change) {
        try {
            change.accept(info);
            return new Pair(info, queue, beforeEnable);
        } catch (Throwable t) {
            info.close();
            throw t;
        }
    }

    /** Polls both queues. */
    public void progress() {
        a.poll();
        b.poll();
    }

    /** Progresses both sides until the condition holds; fails after the deadline. */
    public void until(String what, BooleanSupplier condition) {
        untilWithoutProgress(what, () -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            progress();
            return false;
        });
    }

    /** Progresses both sides for so long, where nothing is to come. */
    public void progressFor(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            progress();
        }
    }

    /** For conditions that poll the queues themselves; fails after the deadline. */
    public void untilWithoutProgress(String what, BooleanSupplier condition) {
        Waits.spin(() -> what + " on " + info.summary() + ", completions not taken: a " + show(a) + ", b " + show(b),
                DEADLINE, condition);
    }

    private static String show(Side side) {
        int count = side.done().size();
        return count + " " + side.done().subList(Math.max(0, count - 5), count);
    }

    /**
     * Carries a message each way. Before that, providers that connect behind the scenes may be busy at the first send
     * for a while.
     */
    public Pair connect() {
        MemorySegment buffer = Arena.ofAuto().allocate(8);
        for (Side side : new Side[] {a, b}) {
            Side other = side == a ? b : a;
            post(() -> other.endpoint.messages().receive(buffer, Address.ANY, Long.MAX_VALUE));
            post(() -> side.endpoint.messages().send(buffer, side.peer, Long.MAX_VALUE));
            await(side, Long.MAX_VALUE);
            await(other, Long.MAX_VALUE);
        }
        return this;
    }

    /** Repeats an operation until the provider takes it. */
    public void post(BooleanSupplier operation) {
        until("the provider stays busy", operation);
    }

    /** Waits for the completion with this context; an error entry fails the test. */
    public Done await(Side side, long context) {
        Done done = awaitAny(side, d -> d.context() == context);
        if (done.error() != null) {
            throw new AssertionError("operation " + context + " failed: " + done.error(), done.error().toException());
        }
        return done;
    }

    /** Waits for the error entry with this context; a successful completion fails the test. */
    public Done awaitError(Side side, long context) {
        Done done = awaitAny(side, d -> d.context() == context);
        if (done.error() == null) {
            throw new AssertionError("operation " + context + " was expected to fail, but completed: " + done);
        }
        return done;
    }

    /** Waits for a completion or error entry. */
    public Done awaitAny(Side side, Predicate<Done> which) {
        Done[] found = new Done[1];
        until("no such completion", () -> (found[0] = side.take(which)) != null);
        return found[0];
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
    }
}
