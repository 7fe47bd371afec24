// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The data path allocates nothing: counted by the JVM, over many operations between two endpoints on shm. */
@Timeout(60)
class AllocationTest {
    private static final int WARM_UP = 100_000;
    private static final int OPERATIONS = 1_000_000;
    private static final int ROUNDS = 6;
    /** For what the JVM itself may allocate in the thread, such as when it swaps compiled code. */
    private static final double BYTES_PER_OPERATION = 0.01;
    private static final long DEADLINE_NANOS = 40_000_000_000L;

    private final CountingHandler handlerA = new CountingHandler();
    private final CountingHandler handlerB = new CountingHandler();
    private CompletionQueue queueA;
    private CompletionQueue queueB;
    private long deadline;

    /** Once around: operations of the loop that is measured. */
    @FunctionalInterface
    private interface Loop {
        void run(Endpoint a, Endpoint b, long peer, MemorySegment buffer, int count);
    }

    private static final class CountingHandler implements CompletionHandler {
        private long completions;

        @Override
        public void onCompletion(Completion completion) {
            completions += completion.context();
        }
    }

    @BeforeAll
    static void libfabric() {
        assumeThat(Fabric.isAvailable()).as("libfabric is not available").isTrue();
    }

    @Test
    void taggedSendAndReceiveAllocateNothing() {
        assertAllocatesNothing((a, b, peer, buffer, count) -> {
            long end = handlerB.completions + count;
            for (int i = 0; i < count; i++) {
                post(b.tagged().receive(buffer, 0, 8, Address.ANY, 7, 0, 1));
                while (!a.tagged().send(buffer, 8, 8, peer, 7, 1)) {
                    progress();
                }
                poll(end - count + i + 1);
            }
        });
    }

    @Test
    void sendAndReceiveAllocateNothing() {
        assertAllocatesNothing((a, b, peer, buffer, count) -> {
            long end = handlerB.completions + count;
            for (int i = 0; i < count; i++) {
                post(b.messages().receive(buffer, 0, 8, Address.ANY, 1));
                while (!a.messages().send(buffer, 8, 8, peer, 1)) {
                    progress();
                }
                poll(end - count + i + 1);
            }
        });
    }

    @Test
    void injectAllocatesNothing() {
        MemorySegment small = Arena.global().allocate(8);
        assertAllocatesNothing((a, b, peer, buffer, count) -> {
            long end = handlerB.completions + count;
            for (int i = 0; i < count; i++) {
                post(b.tagged().receive(small, Address.ANY, 7, 0, 1));
                while (!a.tagged().inject(small, peer, 7)) {
                    progress();
                }
                poll(end - count + i + 1);
            }
        });
    }

    @Test
    void sendDataAllocatesNothing() {
        MemorySegment small = Arena.global().allocate(8);
        assertAllocatesNothing((a, b, peer, buffer, count) -> {
            long end = handlerB.completions + count;
            for (int i = 0; i < count; i++) {
                post(b.tagged().receive(small, Address.ANY, 7, 0, 1));
                while (!a.tagged().sendData(small, i, peer, 7, 1)) {
                    progress();
                }
                poll(end - count + i + 1);
            }
        });
    }

    @Test
    void emptyPollsAllocateNothing() {
        assertAllocatesNothing((a, b, peer, buffer, count) -> {
            for (int i = 0; i < count; i++) {
                progress();
            }
        });
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

    private static void post(boolean taken) {
        if (!taken) {
            throw new AssertionError("a receive was not taken at once");
        }
    }

    private void progress() {
        queueA.poll(handlerA, 16);
        queueB.poll(handlerB, 16);
    }

    private void poll(long untilB) {
        do {
            progress();
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no completion: " + handlerB.completions + " of " + untilB);
            }
        } while (handlerB.completions < untilB);
    }

    private void assertAllocatesNothing(Loop loop) {
        deadline = System.nanoTime() + DEADLINE_NANOS;
        try (Hints hints = Hints.create().endpointType(EndpointType.RDM).provider("shm")
                .capabilities(Capability.TAGGED, Capability.MSG);
                FabricInfoList infos = Fabric.getInfo(hints);
                Fabric fabric = Fabric.open(infos.first());
                Arena arena = Arena.ofShared()) {
            Domain domain = fabric.openDomain(infos.first());
            AddressVector addresses = domain.openAddressVector();
            queueA = domain.openCompletionQueue(CompletionFormat.TAGGED);
            queueB = domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint a = domain.openEndpoint(infos.first())
                    .bind(queueA, BindFlag.TRANSMIT, BindFlag.RECEIVE).bind(addresses).enable();
            Endpoint b = domain.openEndpoint(infos.first())
                    .bind(queueB, BindFlag.TRANSMIT, BindFlag.RECEIVE).bind(domain.openAddressVector()).enable();
            long peer = addresses.insert(b.address().bytes());
            MemorySegment buffer = arena.allocate(64, 8);
            loop.run(a, b, peer, buffer, WARM_UP);
            // Interpreted code allocates, and when the compiler gets round to it depends on what else the JVM runs:
            // what counts is the state it settles in.
            double perOperation = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && perOperation >= BYTES_PER_OPERATION; round++) {
                long before = allocatedBytes();
                loop.run(a, b, peer, buffer, OPERATIONS);
                perOperation = (double) (allocatedBytes() - before) / OPERATIONS;
            }
            assertThat(perOperation).as("bytes per operation after " + ROUNDS + " rounds")
                    .isLessThan(BYTES_PER_OPERATION);
        }
    }
}
