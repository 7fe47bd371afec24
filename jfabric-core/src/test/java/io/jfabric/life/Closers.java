// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A program whose threads use what another one closes. For a JVM of its own: once it was the end of one. */
final class Closers {
    private static final int ROUNDS = 3;
    private static final Duration LONG = Duration.ofMinutes(1);
    /** What a provider may say of an operation that has lost its peer. */
    private static final Set<FabricError> GONE = EnumSet.of(FabricError.ECANCELED, FabricError.ECONNABORTED,
            FabricError.ECONNREFUSED, FabricError.ECONNRESET, FabricError.EHOSTUNREACH, FabricError.ENOTCONN,
            FabricError.ESHUTDOWN);

    private final Providers.Choice choice;
    private final AtomicReference<Throwable> surprise = new AtomicReference<>();

    private Closers(Providers.Choice choice) {
        this.choice = choice;
    }

    public static void main(String[] args) throws Exception {
        Closers closers = new Closers(new Providers.Choice(args[0], EndpointType.valueOf(args[1])));
        closers.all();
        System.out.println("all done");
        System.exit(0);
    }

    private void all() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            pollers();
            senders();
            waiters(i % 2 == 0);
            counters();
            events();
            openers();
            signals();
            infos();
            System.out.println("round " + i + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
        }
    }

    @FunctionalInterface
    private interface Step {
        /** Called over and over, until what it uses is closed. */
        void run();
    }

    /** Threads that each repeat a step until it says that something is closed. */
    private final class Crew {
        private final List<Thread> threads = new ArrayList<>();
        private final Semaphore started = new Semaphore(0);
        private volatile boolean closing;

        Crew with(Step step) {
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    started.release();
                    while (true) {
                        step.run();
                    }
                } catch (IllegalStateException e) {
                    if (!e.getMessage().contains("is closed") && !e.getMessage().contains("in use by")) {
                        surprise.compareAndSet(null, e);
                    }
                } catch (FabricException e) {
                    if (!closing || !GONE.contains(e.error())) {
                        surprise.compareAndSet(null, e);
                    }
                } catch (Throwable e) {
                    surprise.compareAndSet(null, e);
                }
            }));
            return this;
        }

        void close(FabricObject object) throws Exception {
            if (!started.tryAcquire(threads.size(), 10, TimeUnit.SECONDS)) {
                throw new AssertionError("the threads do not start");
            }
            Thread.sleep(2);
            long start = System.nanoTime();
            closing = true;
            object.close();
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            if (took > 8_000 || object.isOpen()) {
                throw new AssertionError("closing took " + took + " ms");
            }
            for (Thread thread : threads) {
                thread.join(10_000);
                if (thread.isAlive()) {
                    AssertionError stuck = new AssertionError("a thread does not end");
                    stuck.setStackTrace(thread.getStackTrace());
                    throw stuck;
                }
            }
            if (surprise.get() != null) {
                throw new AssertionError("a thread failed", surprise.get());
            }
        }
    }

    private void pollers() throws Exception {
        Pair pair = Pair.open(choice);
        new Crew().with(() -> pair.a.queue.poll(c -> { }, 8)).with(() -> pair.b.queue.poll(c -> { }, 8))
                .close(pair.fabric);
        pair.close();
    }

    private void senders() throws Exception {
        Pair pair = Pair.open(choice).connect();
        MemorySegment memory = Arena.ofAuto().allocate(64);
        Step send = () -> {
            pair.b.endpoint.messages().receive(memory, Address.ANY, 1);
            pair.a.endpoint.messages().send(memory, pair.a.peer, 2);
            Thread.onSpinWait();
        };
        new Crew().with(send).with(send).with(() -> pair.a.queue.poll(c -> { }, 8))
                .with(() -> pair.b.queue.poll(c -> { }, 8)).close(pair.domain);
        pair.close();
    }

    private void waiters(boolean closeDomain) throws Exception {
        Pair pair;
        try {
            pair = Pair.open(choice, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                    .withWaitObject(WaitObject.UNSPEC), endpoint -> { });
        } catch (FabricException noSuchWait) {
            return;
        }
        new Crew().with(() -> pair.a.queue.await(c -> { }, 8, LONG)).with(() -> pair.b.queue.await(c -> { }, 8, LONG))
                .close(closeDomain ? pair.domain : pair.fabric);
        pair.close();
    }

    private void counters() throws Exception {
        try (Pair pair = Pair.open(choice)) {
            Counter read;
            Counter waited;
            try {
                read = pair.domain.openCounter();
                waited = pair.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.UNSPEC));
            } catch (FabricException notThere) {
                // a provider without counters, or without waits for them
                return;
            }
            new Crew().with(read::read).with(read::read).with(() -> waited.await(1, LONG)).close(pair.domain);
        }
    }

    private void events() throws Exception {
        Pair pair = Pair.open(choice);
        EventQueue events = pair.fabric.openEventQueue();
        new Crew().with(events::poll).with(() -> events.await(LONG)).with(() -> events.await(LONG))
                .close(pair.fabric);
        pair.close();
    }

    private void openers() throws Exception {
        Pair pair = Pair.open(choice);
        MemorySegment memory = Arena.ofAuto().allocate(64);
        new Crew().with(() -> pair.domain.register(memory, MemoryAccess.SEND).close())
                .with(() -> pair.domain.openCompletionQueue(CompletionFormat.MSG).poll(c -> { }, 1))
                .with(() -> lookUp(pair)).with(() -> pair.a.endpoint.address())
                .close(pair.fabric);
        pair.close();
    }

    private static void lookUp(Pair pair) {
        try {
            pair.a.addresses.lookup(pair.a.peer);
        } catch (FabricException e) {
            // rxd has none
            if (e.error() != FabricError.ENODATA) {
                throw e;
            }
        }
    }

    /** The way to stop a consumer: it closes its queue as soon as it is woken. */
    private void signals() throws Exception {
        try (Pair pair = Pair.open(choice)) {
            CompletionQueue queue;
            try {
                queue = pair.domain.openCompletionQueue(CompletionQueueAttributes.of(CompletionFormat.MSG)
                        .withWaitObject(WaitObject.FD));
            } catch (FabricException noSuchWait) {
                return;
            }
            Thread consumer = Thread.ofPlatform().daemon().start(() -> {
                queue.await(c -> { }, 1, LONG);
                queue.close();
            });
            try {
                while (queue.isOpen()) {
                    queue.signal();
                }
            } catch (IllegalStateException closed) {
                // meanwhile
            }
            consumer.join(10_000);
            if (queue.isOpen()) {
                throw new AssertionError("the signal was lost");
            }
        }
    }

    private void infos() throws Exception {
        Hints hints = choice.hints();
        FabricInfoList infos = Fabric.getInfo(hints);
        FabricInfo info = infos.first().duplicate();
        Crew crew = new Crew().with(hints::toString).with(() -> hints.provider("a provider's name"))
                .with(() -> hints.domain().name("a name")).with(() -> infos.first().summary()).with(info::toString)
                .with(() -> info.fabric().providerName()).with(() -> info.duplicate().close());
        Thread.sleep(2);
        hints.close();
        infos.close();
        Pair pair = Pair.open(choice);
        info.close();
        crew.close(pair.fabric);
        pair.close();
    }
}
