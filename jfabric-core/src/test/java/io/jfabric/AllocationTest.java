// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The data path allocates nothing: counted by the JVM, over many operations of each kind between two endpoints. Most
 * requests are changed for each post.
 */
@Timeout(60)
class AllocationTest {
    private static final int WARM_UP = 50_000;
    private static final int OPERATIONS = 300_000;
    private static final int ROUNDS = 10;
    /** For what the JVM itself may allocate in the thread, such as when it swaps compiled code. */
    private static final double BYTES_PER_OPERATION = 0.01;

    private static final Flags<OperationFlag> REPORTED = Flags.of(OperationFlag.COMPLETION);

    /** One operation, and what it completes. */
    @FunctionalInterface
    private interface Loop {
        void run(Link link, int count);
    }

    private static final class CountingHandler implements CompletionHandler {
        private long completions;

        @Override
        public void onCompletion(Completion completion) {
            completions += completion.context();
        }
    }

    /** Two endpoints, their buffers, and how many operations each side has seen the end of. Every context is 1. */
    private static final class Link {
        private final Side a;
        private final Side b;
        private final long peer;
        private final MemorySegment buffer;
        private final MemorySegment out;
        private final MemorySegment in;
        private final MemorySegment[] outs;
        private final MemorySegment[] ins;
        private final RemoteRegion region;
        private final MessageRequest scatter;
        private final MessageRequest gather;
        private final MessageRequest reportedReceive;
        private final MessageRequest reportedSend;
        private final TaggedRequest taggedScatter;
        private final TaggedRequest taggedGather;
        private final TaggedRequest reportedTaggedReceive;
        private final TaggedRequest reportedTaggedSend;
        private final RmaRequest writeVector;
        private final RmaRequest writeRanges;
        private final RmaRequest readVector;
        private final AtomicRequest sumVector;
        private final AtomicRequest swapVectors;
        private final CountingHandler doneA = new CountingHandler();
        private final CountingHandler doneB = new CountingHandler();
        private long expectedA;
        private long expectedB;
        /** Of the whole loop. */
        private final long end = System.nanoTime() + Pair.DEADLINE.toNanos();

        Link(Pair pair, Arena arena) {
            a = pair.a;
            b = pair.b;
            peer = a.peer;
            buffer = arena.allocate(256, 64);
            out = buffer.asSlice(0, 8);
            in = buffer.asSlice(64, 8);
            outs = new MemorySegment[] {buffer.asSlice(0, 8), buffer.asSlice(8, 8)};
            ins = new MemorySegment[] {buffer.asSlice(64, 8), buffer.asSlice(72, 8)};
            MemoryRegion local = b.endpoint.register(buffer, MemoryAccess.SEND, MemoryAccess.RECV,
                    MemoryAccess.READ, MemoryAccess.WRITE, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            region = local.remote();
            scatter = b.endpoint.messages().receiveRequest().buffers(ins);
            gather = a.endpoint.messages().sendRequest().buffers(outs).peer(peer);
            reportedReceive = b.endpoint.messages().receiveRequest().buffers(ins)
                    .flags(OperationFlag.COMPLETION);
            reportedSend = a.endpoint.messages().sendRequest().buffers(out).peer(peer)
                    .flags(OperationFlag.COMPLETION);
            taggedScatter = b.endpoint.tagged().receiveRequest().buffers(ins).tag(7);
            taggedGather = a.endpoint.tagged().sendRequest().buffers(outs).peer(peer).tag(7);
            reportedTaggedReceive = b.endpoint.tagged().receiveRequest().buffers(ins).tag(7)
                    .flags(OperationFlag.COMPLETION);
            reportedTaggedSend = a.endpoint.tagged().sendRequest().buffers(out).peer(peer).tag(7)
                    .flags(OperationFlag.COMPLETION);
            writeVector = a.endpoint.rma().writeRequest().buffers(outs).peer(peer)
                    .range(region, 128, 16);
            writeRanges = a.endpoint.rma().writeRequest().buffers(outs).peer(peer)
                    .range(region, 128, 8).addRange(region, 136, 8).flags(OperationFlag.COMPLETION);
            readVector = a.endpoint.rma().readRequest().buffers(ins).peer(peer)
                    .range(region, 128, 16);
            sumVector = a.endpoint.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)
                    .buffers(outs).peer(peer).target(region, 128, 16);
            swapVectors = a.endpoint.atomics()
                    .request(AtomicForm.COMPARE, Datatype.INT64, AtomicOp.CSWAP).buffers(outs)
                    .comparands(outs).results(ins).peer(peer).target(region, 128, 16)
                    .flags(OperationFlag.COMPLETION);
        }

        void poll() {
            if (System.nanoTime() > end) {
                throw new AssertionError("no completion, or the provider stays busy");
            }
            a.queue.poll(doneA, 16);
            b.queue.poll(doneB, 16);
        }

        /** Until this many more operations of each side are over; progress in turn, as providers need it. */
        void settle(int ofA, int ofB) {
            expectedA += ofA;
            expectedB += ofB;
            do {
                poll();
            } while (doneA.completions < expectedA || doneB.completions < expectedB);
        }
    }

    private static Named<Loop> loop(String name, Loop loop) {
        return named(name, loop);
    }

    private static void must(boolean taken) {
        if (!taken) {
            throw new AssertionError("a receive was not taken at once");
        }
    }

    static Stream<Named<Loop>> messages() {
        return Stream.of(
                loop("send, receive", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.messages().receive(l.in, Address.ANY, 1));
                        while (!l.a.endpoint.messages().send(l.out, l.peer, 1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("send, receive of parts", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.messages().receive(l.buffer, 64, 8, Address.ANY, 1));
                        while (!l.a.endpoint.messages().send(l.buffer, 8, 8, l.peer, 1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("send, receive of vectors", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.scatter.post(1));
                        while (!l.gather.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("send, receive with flags", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.reportedReceive.post(1));
                        while (!l.reportedSend.buffer(l.buffer, i & 8, i & 7).data(i).peer(l.peer).post(1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("sendData", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.messages().receive(l.in, Address.ANY, 1));
                        while (!l.a.endpoint.messages().sendData(l.out, i, l.peer, 1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("inject, injectData", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.messages().receive(l.in, Address.ANY, 1));
                        must(l.b.endpoint.messages().receive(l.in, Address.ANY, 1));
                        while (!l.a.endpoint.messages().inject(l.out, l.peer)) {
                            l.poll();
                        }
                        while (!l.a.endpoint.messages().injectData(l.out, i, l.peer)) {
                            l.poll();
                        }
                        l.settle(0, 2);
                    }
                }));
    }

    static Stream<Named<Loop>> taggedMessages() {
        return Stream.of(
                loop("tagged send, receive", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.tagged().receive(l.in, Address.ANY, 7, 0, 1));
                        while (!l.a.endpoint.tagged().send(l.out, l.peer, 7, 1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("tagged send, receive of parts", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.tagged().receive(l.buffer, 64, 8, Address.ANY, 7, 0, 1));
                        while (!l.a.endpoint.tagged().send(l.buffer, 8, 8, l.peer, 7, 1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("tagged send, receive of vectors", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.taggedScatter.tag(7).ignore(i).post(1));
                        while (!l.taggedGather.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("tagged send, receive with flags", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.reportedTaggedReceive.post(1));
                        l.reportedTaggedSend.buffer(l.buffer, i & 8, i & 7).tag(7).data(i);
                        while (!l.reportedTaggedSend.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("tagged sendData", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.tagged().receive(l.in, Address.ANY, 7, 0, 1));
                        while (!l.a.endpoint.tagged().sendData(l.out, i, l.peer, 7, 1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("tagged inject, injectData", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        must(l.b.endpoint.tagged().receive(l.in, Address.ANY, 7, 0, 1));
                        must(l.b.endpoint.tagged().receive(l.in, Address.ANY, 7, 0, 1));
                        while (!l.a.endpoint.tagged().inject(l.out, l.peer, 7)) {
                            l.poll();
                        }
                        while (!l.a.endpoint.tagged().injectData(l.out, i, l.peer, 7)) {
                            l.poll();
                        }
                        l.settle(0, 2);
                    }
                }));
    }

    static Stream<Named<Loop>> polls() {
        return Stream.of(
                loop("a batch of eight", (l, count) -> {
                    for (int i = 0; i < count / 8; i++) {
                        for (int j = 0; j < 8; j++) {
                            must(l.b.endpoint.tagged().receive(l.in, Address.ANY, 7, 0, 1));
                        }
                        for (int j = 0; j < 8; j++) {
                            while (!l.a.endpoint.tagged().send(l.out, l.peer, 7, 1)) {
                                l.poll();
                            }
                        }
                        l.settle(8, 8);
                    }
                }),
                loop("polls of empty queues", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        l.poll();
                    }
                }));
    }

    static Stream<Named<Loop>> remoteAccesses() {
        return Stream.of(
                loop("write", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.rma().write(l.out, l.peer, l.region, 128, 1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("write of a vector", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.writeVector.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("write with flags", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        l.writeRanges.buffer(l.buffer, i & 8, 16).flags(REPORTED)
                                .range(l.region, 128, 8).addRange(l.region, 136, 8);
                        while (!l.writeRanges.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("writeData", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.rma().writeData(l.out, i, l.peer, l.region, 128, 1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("inject, injectData of a write", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.rma().inject(l.out, l.peer, l.region, 128)) {
                            l.poll();
                        }
                        while (!l.a.endpoint.rma().injectData(l.out, i, l.peer, l.region, 128)) {
                            l.poll();
                        }
                        l.poll();
                    }
                }),
                loop("read", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.rma().read(l.in, l.peer, l.region, 128, 1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("read into a vector", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        l.readVector.buffer(l.buffer, 64, i & 15).range(l.region, 128, i & 15).noData().defaultFlags();
                        while (!l.readVector.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }));
    }

    static Stream<Named<Loop>> atomics() {
        return Stream.of(
                loop("atomic", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.atomics().apply(l.out, l.peer, l.region, 128, Datatype.INT64, AtomicOp.SUM,
                                1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("atomic of a vector", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        l.sumVector.buffer(l.buffer, i & 8, 16).target(l.region, 128, 16);
                        while (!l.sumVector.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("comparing atomic of vectors", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        l.swapVectors.buffer(l.buffer, i & 8, 16).target(l.region, 128, 8)
                                .addTarget(l.region, 136, 8);
                        while (!l.swapVectors.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("injected atomic", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.atomics().inject(l.out, l.peer, l.region, 128, Datatype.INT64,
                                AtomicOp.SUM)) {
                            l.poll();
                        }
                        l.poll();
                    }
                }),
                loop("fetching atomic", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.atomics().fetchAndApply(l.out, l.in, l.peer, l.region, 128,
                                Datatype.INT64, AtomicOp.SUM, 1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("comparing atomic", (l, count) -> {
                    for (int i = 0; i < count; i++) {
                        while (!l.a.endpoint.atomics().compareAndApply(l.out, l.out, l.in, l.peer, l.region, 128,
                                Datatype.INT64, AtomicOp.CSWAP, 1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }));
    }

    @ParameterizedTest
    @MethodSource({"messages", "taggedMessages", "polls", "remoteAccesses", "atomics"})
    void allocatesNothing(Loop loop) {
        try (Pair pair = Pair.open(Providers.SHM, AllocationTest::everything)) {
            assertAllocatesNothing(pair, loop);
        }
    }

    /** As verbs wants it; the buffers are registered by the user. */
    @ParameterizedTest
    @MethodSource({"messages", "taggedMessages", "polls", "remoteAccesses", "atomics"})
    void allocatesNothingWhereLocalBuffersMustBeRegistered(Loop loop) {
        try (Pair pair = Pair.openChanged(Providers.SHM, AllocationTest::everything,
                LocalBuffersTest::demandRegistration)) {
            assertAllocatesNothing(pair, loop);
        }
    }

    @ParameterizedTest
    @MethodSource({"messages", "taggedMessages"})
    void allocatesNothingWhereMessagesHaveAPrefix(Loop loop) {
        try (Pair pair = Pair.openChanged(Providers.SHM, AllocationTest::everything, LocalBuffersTest::demandPrefix)) {
            assertAllocatesNothing(pair, loop);
        }
    }

    private static void everything(Hints hints) {
        hints.capabilities(Capability.TAGGED, Capability.MSG, Capability.RMA, Capability.ATOMIC);
    }

    private static void assertAllocatesNothing(Pair pair, Loop loop) {
        try (Arena arena = Arena.ofShared()) {
            Link link = new Link(pair, arena);
            loop.run(link, WARM_UP);
            // Interpreted code allocates, and when the compiler gets round to it depends on what else the JVM runs:
            // what counts is the state it settles in.
            double perOperation = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && perOperation >= BYTES_PER_OPERATION; round++) {
                long before = allocatedBytes();
                loop.run(link, OPERATIONS);
                perOperation = (double) (allocatedBytes() - before) / OPERATIONS;
            }
            assertThat(perOperation).as("bytes per operation after " + ROUNDS + " rounds")
                    .isLessThan(BYTES_PER_OPERATION);
            pair.close();
        }
    }

    /** By reflection: the library's module, which the tests are compiled into, does not read the one for management. */
    private static long allocatedBytes() {
        try {
            Object threads = Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean")
                    .invoke(null);
            Method bytes = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
            return (long) bytes.invoke(threads);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
