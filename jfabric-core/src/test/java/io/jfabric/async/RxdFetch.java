// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Atomics;
import io.jfabric.Datatype;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Fetching atomics of udp;ofi_rxd beside other operations, in a process of their own: see {@link RxdFetchTest}. */
final class RxdFetch {
    private static final int ROUNDS = 50;
    private static final int LONG_MESSAGE = 100_000;

    private RxdFetch() {
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "two" -> two();
            case "requests" -> requests();
            case "long" -> afterLong();
            case "injected" -> afterInjected();
            case "futures" -> futures();
            case "mixed" -> mixed();
            case "calls" -> calls();
            case "longFutures" -> longFutures();
            case "targets" -> targets();
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("SURVIVED");
    }

    private static void capable(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA, Capability.ATOMIC, Capability.SOURCE);
    }

    /** An endpoint, the number that it changes at its peer, and memory of its own. */
    private record Counting(Pair pair, RemoteRegion number, MemorySegment ones, MemorySegment results) {
        static Counting open(Pair pair) {
            MemorySegment number = Arena.global().allocate(64, 8);
            MemorySegment ones = Arena.global().allocate(64, 8);
            for (int i = 0; i < 8; i++) {
                ones.setAtIndex(ValueLayout.JAVA_LONG, i, 1);
            }
            return new Counting(pair, pair.b.endpoint.register(number, MemoryAccess.REMOTE_WRITE,
                    MemoryAccess.REMOTE_READ).remote(), ones, Arena.global().allocate(64, 8));
        }

        Atomics atomics() {
            return pair.a.endpoint.atomics();
        }

        boolean fetch(int i) {
            return atomics().fetchAndApply(slot(ones, i), slot(results, i), pair.a.peer, number, 0, Datatype.INT64,
                    AtomicOp.SUM, i);
        }

        static MemorySegment slot(MemorySegment of, int i) {
            return of.asSlice(8L * i, 8);
        }

        void all(BooleanSupplier... operations) {
            for (BooleanSupplier operation : operations) {
                pair.post(operation);
            }
            for (int i = 0; i < operations.length; i++) {
                pair.await(pair.a, i);
            }
        }

        void refuses(String part) {
            refuses(() -> fetch(0), part);
        }

        static void refuses(BooleanSupplier operation, String part) {
            try {
                operation.getAsBoolean();
            } catch (IllegalStateException refused) {
                if (refused.getMessage().contains(part)) {
                    return;
                }
                throw refused;
            }
            throw new AssertionError("a fetch that would crash the peer was not refused");
        }
    }

    /** Posted one after the other, as soon as the provider takes them; all numbers must come once. */
    private static void two() {
        try (Pair pair = Pair.open(Providers.RXD, RxdFetch::capable).connect()) {
            Counting c = Counting.open(pair);
            BitSet seen = new BitSet();
            for (int round = 0; round < ROUNDS; round++) {
                c.all(() -> c.fetch(0), () -> c.fetch(1), () -> c.fetch(2));
                for (int i = 0; i < 3; i++) {
                    seen.set((int) c.results.getAtIndex(ValueLayout.JAVA_LONG, i));
                }
            }
            expect(3 * ROUNDS, seen.cardinality());
        }
    }

    /** The same of requests, and of comparing ones; with messages, reads, writes and plain atomics between them. */
    private static void requests() {
        try (Pair pair = Pair.open(Providers.RXD, RxdFetch::capable).connect()) {
            Counting c = Counting.open(pair);
            AtomicRequest fetch = c.atomics().request(AtomicForm.FETCH, Datatype.INT64, AtomicOp.SUM)
                    .peer(pair.a.peer).buffers(Counting.slot(c.ones, 0)).results(Counting.slot(c.results, 0))
                    .target(c.number, 0, 8);
            for (int round = 0; round < ROUNDS; round++) {
                c.all(() -> pair.a.endpoint.messages().send(c.ones, pair.a.peer, 0),
                        () -> c.atomics().compareAndApply(Counting.slot(c.ones, 1), Counting.slot(c.ones, 2),
                                Counting.slot(c.results, 1), pair.a.peer, c.number, 8, Datatype.INT64,
                                AtomicOp.CSWAP, 1),
                        () -> fetch.post(2),
                        () -> pair.a.endpoint.rma().read(Counting.slot(c.results, 3), pair.a.peer, c.number, 0, 3),
                        () -> c.atomics().apply(Counting.slot(c.ones, 4), pair.a.peer, c.number, 16, Datatype.INT64,
                                AtomicOp.SUM, 4),
                        () -> c.fetch(5));
            }
            expect(2 * ROUNDS - 1, c.results.getAtIndex(ValueLayout.JAVA_LONG, 5));
        }
    }

    /** What is longer than a packet leaves its number of packets behind, until something short has gone. */
    private static void afterLong() {
        try (Pair pair = Pair.open(Providers.RXD, RxdFetch::capable).connect()) {
            Counting c = Counting.open(pair);
            MemorySegment large = Arena.global().allocate(LONG_MESSAGE);
            RemoteRegion target = pair.b.endpoint.register(Arena.global().allocate(LONG_MESSAGE),
                    MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ).remote();
            for (BooleanSupplier operation : List.<BooleanSupplier>of(
                    () -> pair.a.endpoint.rma().write(large, pair.a.peer, target, 0, 0),
                    () -> pair.a.endpoint.rma().read(large, pair.a.peer, target, 0, 0),
                    () -> pair.a.endpoint.messages().sendRequest().peer(pair.a.peer).buffers(large).post(0))) {
                MemorySegment in = Arena.global().allocate(LONG_MESSAGE);
                pair.post(() -> pair.b.endpoint.messages().receive(in, pair.b.peer, 9));
                c.all(operation);
                c.refuses("short");
                c.all(() -> pair.a.endpoint.rma().write(c.ones, pair.a.peer, target, 0, 0));
                c.all(() -> c.fetch(0));
            }
        }
    }

    /** Nobody says when it is over; what is sent later does. */
    private static void afterInjected() {
        try (Pair pair = Pair.open(Providers.RXD, RxdFetch::capable).connect()) {
            Counting c = Counting.open(pair);
            pair.post(() -> pair.a.endpoint.messages().inject(c.ones, pair.a.peer));
            c.refuses("inject");
            c.all(() -> pair.a.endpoint.rma().read(Counting.slot(c.results, 0), pair.a.peer, c.number, 0, 0));
            c.refuses("inject");
            c.all(() -> pair.a.endpoint.messages().send(c.ones, pair.a.peer, 0), () -> c.fetch(1));
        }
    }

    /** Several targets are said as what fetches says its one. */
    private static void targets() {
        try (Pair pair = Pair.open(Providers.RXD, RxdFetch::capable)) {
            Counting c = Counting.open(pair);
            AtomicRequest several = c.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)
                    .peer(pair.a.peer).buffers(c.ones.asSlice(0, 16)).target(c.number, 0, 8).addTarget(c.number, 32, 8);
            Counting.refuses(() -> several.post(0), "send something else to it first");
            MemorySegment large = Arena.global().allocate(LONG_MESSAGE);
            pair.post(() -> pair.b.endpoint.messages().receive(large, pair.b.peer, 9));
            c.all(() -> pair.a.endpoint.messages().send(large, pair.a.peer, 0));
            Counting.refuses(() -> several.post(0), "short");
            c.all(() -> c.atomics().apply(Counting.slot(c.ones, 0), pair.a.peer, c.number, 0, Datatype.INT64,
                    AtomicOp.SUM, 0));
            for (int round = 0; round < ROUNDS; round++) {
                c.all(() -> several.post(0), () -> pair.a.endpoint.rma().read(Counting.slot(c.results, 1), pair.a.peer,
                        c.number, 32, 1), () -> several.post(2), () -> c.fetch(3));
            }
            expect(3 * ROUNDS, c.results.getAtIndex(ValueLayout.JAVA_LONG, 3));
            expect(2 * ROUNDS - 1, c.results.getAtIndex(ValueLayout.JAVA_LONG, 1));
        }
    }

    private static RemoteRegion numberOf(Node node) {
        MemorySegment number = node.allocate(64);
        return node.register(number, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ).remote();
    }

    private static void futures() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.RXD, RxdFetch::capable)) {
            RemoteRegion number = numberOf(nodes.b);
            nodes.a.write(nodes.a.allocate(8), nodes.toB, number, 8).get(10, TimeUnit.SECONDS);
            for (int i = 0; i < ROUNDS; i++) {
                CompletableFuture<Long> first = nodes.a.fetchAndAdd(nodes.toB, number, 0, 1);
                CompletableFuture<Long> second = nodes.a.fetchAndAdd(nodes.toB, number, 0, 1);
                expect(4 * i + 1, first.get(10, TimeUnit.SECONDS) + second.get(10, TimeUnit.SECONDS));
            }
        }
    }

    /** Threads of two nodes change a number of a third, and each other's, with messages and reads between. */
    private static void mixed() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.RXD, RxdFetch::capable);
                Nodes others = Nodes.open(Providers.RXD, RxdFetch::capable);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            RemoteRegion number = numberOf(nodes.b);
            RemoteRegion back = numberOf(nodes.a);
            List<Future<?>> all = new ArrayList<>();
            Peer fromOther = others.a.peer(nodes.b.address().bytes());
            for (int i = 0; i < 2; i++) {
                all.add(threads.submit(() -> add(nodes.a, nodes.toB, number)));
            }
            all.add(threads.submit(() -> add(others.a, fromOther, number)));
            all.add(threads.submit(() -> add(nodes.b, nodes.toA, back)));
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
            expect(3 * ROUNDS, nodes.a.fetchAndAdd(nodes.toB, number, 0, 0).get(10, TimeUnit.SECONDS));
            expect(ROUNDS, nodes.b.fetchAndAdd(nodes.toA, back, 0, 0).get(10, TimeUnit.SECONDS));
        }
    }

    private static Void add(Node node, Peer to, RemoteRegion number) throws Exception {
        MemorySegment some = node.allocate(8);
        node.write(some, to, number, 32).get(10, TimeUnit.SECONDS);
        for (int i = 0; i < ROUNDS; i++) {
            CompletableFuture<Void> sent = node.send(some, to, 1);
            CompletableFuture<Long> added = node.fetchAndAdd(to, number, 0, 1);
            CompletableFuture<Void> read = node.read(some, to, number, 40);
            node.compareAndSwap(to, number, 24, 0, 0).get(20, TimeUnit.SECONDS);
            CompletableFuture.allOf(sent, added, read).get(20, TimeUnit.SECONDS);
        }
        return null;
    }

    /** Calls are short messages, which go without a completion elsewhere. */
    private static void calls() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.RXD, RxdFetch::capable)) {
            RemoteRegion number = numberOf(nodes.b);
            try (Service _ = Service.open(nodes.b, 7, call -> call.answer(call.request()));
                    Caller caller = Caller.open(nodes.toB, 7)) {
                for (int i = 0; i < ROUNDS; i++) {
                    caller.call(new byte[16]).get(20, TimeUnit.SECONDS);
                    expect(i, nodes.a.fetchAndAdd(nodes.toB, number, 0, 1).get(10, TimeUnit.SECONDS));
                }
            }
        }
    }

    private static void longFutures() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.RXD, RxdFetch::capable)) {
            RemoteRegion number = numberOf(nodes.b);
            RemoteRegion target = nodes.b.register(nodes.b.allocate(LONG_MESSAGE), MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment large = nodes.a.allocate(LONG_MESSAGE);
            nodes.a.write(large, nodes.toB, target, 0).get(10, TimeUnit.SECONDS);
            try {
                nodes.a.fetchAndAdd(nodes.toB, number, 0, 1).get(10, TimeUnit.SECONDS);
                throw new AssertionError("a fetch that would crash the peer was not refused");
            } catch (IllegalStateException asItShouldBe) {
                nodes.a.write(large.asSlice(0, 8), nodes.toB, target, 0).get(10, TimeUnit.SECONDS);
                expect(0, nodes.a.fetchAndAdd(nodes.toB, number, 0, 1).get(10, TimeUnit.SECONDS));
            }
        }
    }

    private static void expect(long expected, long actual) {
        if (expected != actual) {
            throw new AssertionError(actual + " instead of " + expected);
        }
    }
}
