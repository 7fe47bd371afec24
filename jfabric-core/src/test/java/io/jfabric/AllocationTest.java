// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Pair;
import io.jfabric.testing.Providers;
import io.jfabric.testing.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The data path allocates nothing: counted by the JVM, over many operations of each kind between two endpoints. */
@Timeout(60)
class AllocationTest {
    private static final int WARM_UP = 50_000;
    private static final int OPERATIONS = 300_000;
    private static final int ROUNDS = 10;
    /** For what the JVM itself may allocate in the thread, such as when it swaps compiled code. */
    private static final double BYTES_PER_OPERATION = 0.01;

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
        private final CountingHandler doneA = new CountingHandler();
        private final CountingHandler doneB = new CountingHandler();
        private long expectedA;
        private long expectedB;

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
        }

        void poll() {
            a.queue.poll(doneA, 16);
            b.queue.poll(doneB, 16);
        }

        /** Until this many more operations of each side are over; progress in turn, as providers need it. */
        void settle(int ofA, int ofB) {
            expectedA += ofA;
            expectedB += ofB;
            long spins = 0;
            do {
                poll();
                if (++spins > 1_000_000_000L) {
                    throw new AssertionError("no completion");
                }
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
                    MessageRequest receive = l.b.endpoint.messages().receiveRequest().buffers(l.ins);
                    MessageRequest send = l.a.endpoint.messages().sendRequest().buffers(l.outs).peer(l.peer);
                    for (int i = 0; i < count; i++) {
                        must(receive.post(1));
                        while (!send.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("send, receive with flags", (l, count) -> {
                    MessageRequest receive = l.b.endpoint.messages().receiveRequest().buffers(l.ins)
                            .flags(OperationFlag.COMPLETION);
                    MessageRequest send = l.a.endpoint.messages().sendRequest().buffers(l.out).peer(l.peer)
                            .flags(OperationFlag.COMPLETION);
                    for (int i = 0; i < count; i++) {
                        must(receive.post(1));
                        while (!send.data(i).post(1)) {
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
                    TaggedRequest receive = l.b.endpoint.tagged().receiveRequest().buffers(l.ins).tag(7);
                    TaggedRequest send = l.a.endpoint.tagged().sendRequest().buffers(l.outs).peer(l.peer).tag(7);
                    for (int i = 0; i < count; i++) {
                        must(receive.post(1));
                        while (!send.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 1);
                    }
                }),
                loop("tagged send, receive with flags", (l, count) -> {
                    TaggedRequest receive = l.b.endpoint.tagged().receiveRequest().buffers(l.ins).tag(7)
                            .flags(OperationFlag.COMPLETION);
                    TaggedRequest send = l.a.endpoint.tagged().sendRequest().buffers(l.out).peer(l.peer).tag(7)
                            .flags(OperationFlag.COMPLETION);
                    for (int i = 0; i < count; i++) {
                        must(receive.post(1));
                        while (!send.data(i).post(1)) {
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
                    RmaRequest write = l.a.endpoint.rma().writeRequest().buffers(l.outs).peer(l.peer)
                            .range(l.region, 128, 16);
                    for (int i = 0; i < count; i++) {
                        while (!write.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("write with flags", (l, count) -> {
                    RmaRequest write = l.a.endpoint.rma().writeRequest().buffers(l.outs).peer(l.peer)
                            .range(l.region, 128, 8).addRange(l.region, 136, 8).flags(OperationFlag.COMPLETION);
                    for (int i = 0; i < count; i++) {
                        while (!write.post(1)) {
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
                    RmaRequest read = l.a.endpoint.rma().readRequest().buffers(l.ins).peer(l.peer)
                            .range(l.region, 128, 16);
                    for (int i = 0; i < count; i++) {
                        while (!read.post(1)) {
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
                    AtomicRequest sum = l.a.endpoint.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)
                            .buffers(l.outs).peer(l.peer).target(l.region, 128, 16);
                    for (int i = 0; i < count; i++) {
                        while (!sum.post(1)) {
                            l.poll();
                        }
                        l.settle(1, 0);
                    }
                }),
                loop("comparing atomic of vectors", (l, count) -> {
                    AtomicRequest swap = l.a.endpoint.atomics()
                            .request(AtomicForm.COMPARE, Datatype.INT64, AtomicOp.CSWAP).buffers(l.outs)
                            .comparands(l.outs).results(l.ins).peer(l.peer).target(l.region, 128, 16)
                            .flags(OperationFlag.COMPLETION);
                    for (int i = 0; i < count; i++) {
                        while (!swap.post(1)) {
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
