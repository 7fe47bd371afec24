// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.queue.CompletionImpl;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contexts without a provider: tokens are released by hand where a completion would do it. */
class ContextSlabTest {
    private final ContextRegistry registry = new ContextRegistry(false);
    private final Queue queue = new Queue();

    private static final class Queue implements ContextReader {
        private final QueueRoom room = new QueueRoom(0, 0);
        private boolean open = true;
        private int asked;

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public QueueRoom room() {
            return room;
        }

        @Override
        public void sayWhenEmpty() {
            asked++;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void growsAndFindsEveryContextAgain(boolean nativeMemory) {
        ContextSlab slab = new ContextSlab(registry, nativeMemory);
        int count = 1000;
        long[] tokens = new long[count];
        Set<Long> distinct = new HashSet<>();
        for (int i = 0; i < count; i++) {
            tokens[i] = slab.acquire(-i, "buffer", ContextSlab.PLAIN);
            assertThat(tokens[i]).isNotZero();
            assertThat(distinct.add(tokens[i])).isTrue();
        }
        for (int i = 0; i < count; i++) {
            assertThat(contextOf(tokens[i])).isEqualTo(-i);
            assertThat(slab.find(-i)).isEqualTo(tokens[i]);
        }
        for (long token : tokens) {
            registry.cancel(token);
        }
        assertThat(slab.find(-5)).isZero();
    }

    /** Not as many steps for each that is over as there are that are over, which took seconds. */
    @Test
    void findsTheLastOfManyWithOneContext() throws InterruptedException {
        ContextSlab slab = new ContextSlab(registry, false);
        long[] tokens = new long[65_536];
        Arrays.setAll(tokens, i -> slab.acquire(7, "buffer", ContextSlab.PLAIN));
        long last = tokens[tokens.length - 1];
        Thread other = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < tokens.length - 1; i++) {
                slab.release(registry.find(tokens[i]));
            }
        });
        other.join();
        long start = System.nanoTime();
        assertThat(slab.find(7)).isEqualTo(last);
        slab.release(registry.find(last));
        assertThat(slab.find(7)).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
    }

    private static int chunkOf(long token) {
        return ContextChunk.indexOf(token) / ContextChunk.SLOTS;
    }

    @Test
    void reusesSlotsBeforeItGrows() {
        ContextSlab slab = new ContextSlab(registry, false);
        Set<Integer> chunks = new HashSet<>();
        for (int round = 0; round < 100_000; round++) {
            long token = slab.acquire(round, null, ContextSlab.PLAIN);
            chunks.add(chunkOf(token));
            registry.cancel(token);
        }
        assertThat(chunks).hasSize(1);
    }

    @Test
    void aTokenDiesWithItsOperation() {
        ContextSlab slab = new ContextSlab(registry, false);
        long first = slab.acquire(1, null, ContextSlab.PLAIN);
        registry.cancel(first);
        long second = slab.acquire(2, null, ContextSlab.PLAIN);
        assertThat(ContextChunk.indexOf(second)).isEqualTo(ContextChunk.indexOf(first));
        assertThat(second).isNotEqualTo(first);
        assertThat(registry.find(first)).isNull();
        registry.cancel(first);
        assertThat(contextOf(second)).as("a stale token frees nothing").isEqualTo(2);
        assertThat(registry.find(12345)).isNull();
        assertThat(registry.find(-1)).isNull();
    }

    @Test
    void aTokenOfAClosedEndpointIsNotTakenForAnother() {
        ContextSlab closed = new ContextSlab(registry, false);
        long old = closed.acquire(1, "kept", ContextSlab.PLAIN);
        close(closed);
        assertThat(contextOf(old)).as("its completion may still be unread").isEqualTo(1);
        ContextSlab next = new ContextSlab(registry, false);
        long token = next.acquire(2, null, ContextSlab.PLAIN);
        assertThat(chunkOf(token)).as("the chunk is used again").isEqualTo(chunkOf(old));
        assertThat(registry.find(old)).isNull();
        assertThat(contextOf(token)).isEqualTo(2);
    }

    /** Where tokens are addresses, nothing else would tell the completions of two endpoints apart. */
    @Test
    void anAddressIsUsedAgainOnceItsCompletionWasRead() {
        ContextSlab unread = new ContextSlab(registry, true);
        long old = unread.acquire(1, null, ContextSlab.PLAIN);
        long other = unread.acquire(2, null, ContextSlab.MULTI_RECV);
        Memory.putLong(old, -1);
        close(unread);
        long token = new ContextSlab(registry, true).acquire(3, null, ContextSlab.PLAIN);
        assertThat(Math.abs(token - old)).isGreaterThanOrEqualTo(ContextChunk.SLOTS * 64);
        assertThat(show(old, 0)).isEqualTo(1);
        assertThat(registry.find(old)).as("read").isNull();
        assertThat(show(other, 0)).isEqualTo(2);
        assertThat(contextOf(other)).as("more messages may have come into it").isEqualTo(2);
        assertThat(show(other, Libfabric.FI_MULTI_RECV())).isEqualTo(2);
        long next = new ContextSlab(registry, true).acquire(4, null, ContextSlab.PLAIN);
        assertThat(next).isEqualTo(old);
        assertThat(Memory.getLong(next)).as("what the provider had written").isZero();
        assertThat(contextOf(token)).isEqualTo(3);
    }

    @Test
    void whatAClosedEndpointPeekedIsOver() {
        ContextSlab closed = new ContextSlab(registry, true);
        long claimed = closed.acquire(1, null, ContextSlab.CLAIM);
        assertThat(show(claimed, 0)).isEqualTo(1);
        assertThat(contextOf(claimed)).as("to be claimed").isEqualTo(1);
        close(closed);
        ContextSlab next = new ContextSlab(registry, true);
        assertThat(next.acquire(2, null, ContextSlab.CLAIM)).as("nobody will claim it").isEqualTo(claimed);
        close(next);
        assertThat(show(claimed, 0)).as("read later").isEqualTo(2);
        assertThat(new ContextSlab(registry, true).acquire(3, null, ContextSlab.PLAIN)).isEqualTo(claimed);
    }

    /** Some providers never tell of a receive that waits. */
    @Test
    void addressesThatNeverCameBackAreUsedAgain() {
        Set<Long> addresses = new HashSet<>();
        ContextSlab lasting = new ContextSlab(registry, true);
        long token = lasting.acquire(-1, null, ContextSlab.PLAIN);
        for (int i = 0; i < 1000; i++) {
            ContextSlab slab = new ContextSlab(registry, true);
            addresses.add(slab.acquire(i, null, ContextSlab.PLAIN));
            slab.close(List.of(queue), i % 2 == 0);
            assertThat(queue.asked).isEqualTo(i + 1);
            assertThat(contextOf(token)).isEqualTo(-1);
            if (i % 2 == 0) {
                registry.closed(queue);
            } else {
                registry.emptied(queue);
            }
        }
        assertThat(addresses).hasSize(1);
        queue.open = false;
        close(lasting);
        assertThat(registry.find(token)).as("of nobody").isNull();
    }

    @Test
    void anAddressWaitsForAllQueues() {
        Queue other = new Queue();
        ContextSlab closed = new ContextSlab(registry, true);
        long old = closed.acquire(1, null, ContextSlab.PLAIN);
        closed.close(List.of(queue, other), false);
        registry.emptied(queue);
        registry.emptied(queue);
        assertThat(contextOf(old)).isEqualTo(1);
        registry.emptied(other);
        assertThat(registry.find(old)).isNull();
        ContextSlab parked = new ContextSlab(registry, true);
        assertThat(parked.acquire(2, null, ContextSlab.PLAIN)).isEqualTo(old);
        parked.close(List.of(queue), true);
        registry.emptied(queue);
        assertThat(contextOf(old)).as("the provider goes on with it").isEqualTo(2);
        registry.closed(queue);
        assertThat(registry.find(old)).isNull();
    }

    private void close(ContextSlab slab) {
        slab.close(List.of(queue), false);
    }

    /** What a completion queue does with an entry; returns the context. */
    private long show(long token, long flags) {
        MemorySegment entry = Structs.allocate(Arena.ofAuto(), fi_cq_tagged_entry.layout());
        fi_cq_tagged_entry.op_context(entry, MemorySegment.ofAddress(token));
        fi_cq_tagged_entry.flags(entry, flags);
        CompletionImpl completion = new CompletionImpl(registry, CompletionFormat.TAGGED, Quirks.of("none"), entry);
        completion.show(entry.address(), Address.NOT_AVAILABLE);
        return completion.context();
    }

    @Test
    void keepsResourcesUntilTheOperationIsOver() {
        AtomicInteger released = new AtomicInteger();
        Kept kept = new Kept() {
            @Override
            public void release() {
                released.incrementAndGet();
            }

            @Override
            public Object buffers() {
                return null;
            }
        };
        ContextSlab slab = new ContextSlab(registry, false);
        long token = slab.acquire(1, kept, ContextSlab.RESOURCES);
        assertThat(released).hasValue(0);
        registry.cancel(token);
        assertThat(released).hasValue(1);
        slab.acquire(2, kept, ContextSlab.RESOURCES);
        close(slab);
        assertThat(released).as("closing ends what is under way").hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherThreadMayRelease(boolean nativeMemory) throws InterruptedException {
        ContextSlab slab = new ContextSlab(registry, nativeMemory);
        Set<Long> all = new HashSet<>();
        for (int round = 0; round < 20; round++) {
            List<Long> tokens = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                tokens.add(slab.acquire(i, null, ContextSlab.PLAIN));
            }
            Thread other = Thread.ofPlatform().start(() -> tokens.forEach(registry::cancel));
            other.join();
            assertThat(slab.statistics().underWay()).isZero();
            if (!nativeMemory) {
                // where tokens are addresses the registry cannot know who asks for one too late
                assertThat(tokens.stream().map(registry::find).filter(Objects::nonNull)).isEmpty();
            }
            assertThat(new HashSet<>(tokens)).hasSize(200);
            all.addAll(tokens);
        }
        if (nativeMemory) {
            assertThat(all).as("no growth").hasSizeLessThanOrEqualTo(5 * 64);
        } else {
            long last = slab.acquire(1, null, ContextSlab.PLAIN);
            assertThat(chunkOf(last)).as("no growth").isLessThan(5);
        }
    }

    /** Four threads take slots, a fifth gives half of them back; no slot is ever two operations'. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesThreads(boolean nativeMemory) throws InterruptedException {
        ContextSlab slab = new ContextSlab(registry, nativeMemory);
        BlockingQueue<long[]> completions = new ArrayBlockingQueue<>(256);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        int operations = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            long base = (t + 1L) << 32;
            threads.add(Threads.start(failure, () -> {
                Deque<long[]> own = new ArrayDeque<>();
                for (int i = 0; i < operations; i++) {
                    long[] operation = {slab.acquire(base + i, null, ContextSlab.PLAIN), base + i};
                    if (i % 2 == 0) {
                        completions.put(operation);
                    } else {
                        own.add(operation);
                    }
                    if (own.size() > 100) {
                        complete(own.poll());
                    }
                }
                own.forEach(this::complete);
            }));
        }
        threads.add(Threads.start(failure, () -> {
            for (int i = 0; i < 4 * operations / 2; i++) {
                long[] operation = completions.poll(10, TimeUnit.SECONDS);
                assertThat(operation).as("operation %s", i).isNotNull();
                complete(operation);
            }
        }));
        for (Thread thread : threads) {
            thread.join(30_000);
        }
        assertThat(failure.get()).isNull();
    }

    /** Where the slot is looked for among those that are free, another operation takes it. */
    @Test
    void findsNoTokenOfTheNextOperation() {
        ContextChunk chunk = new ContextChunk(0, false);
        ContextSlot slot = chunk.slot(5);
        long token = slot.fill(7, null, ContextSlab.PLAIN, ContextSlot.UNBOUNDED);
        assertThat(chunk.find(7, ContextSlab.ANY_KIND, free -> false)).isEqualTo(token);
        assertThat(chunk.find(7, ContextSlab.ANY_KIND, free -> {
            slot.expire();
            slot.fill(8, null, ContextSlab.PLAIN, ContextSlot.UNBOUNDED);
            return false;
        })).isZero();
    }

    /** A slot that is given back during a look has its next token by then. */
    @Test
    void takesNoSlotThatHasJustBeenGivenBackForBusy() {
        ContextSlab slab = new ContextSlab(registry, false);
        List<ContextSlot> busy = new ArrayList<>();
        for (int i = 0; i < ContextChunk.SLOTS; i++) {
            busy.add(registry.find(slab.acquire(7, null, ContextSlab.PLAIN)));
        }
        IdleSlots idle = new IdleSlots(slab);
        for (ContextSlot slot : busy) {
            assertThat(idle.test(slot)).isFalse();
        }
        for (ContextSlot slot : busy) {
            slab.release(slot);
            assertThat(idle.test(slot)).isTrue();
        }
    }

    @Test
    void findsWhileItGrows() throws InterruptedException {
        AtomicReference<ContextSlab> growing = new AtomicReference<>(new ContextSlab(registry, false));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread owner = Threads.start(failure, () -> {
            while (!over.get()) {
                ContextSlab slab = new ContextSlab(registry, false);
                growing.set(slab);
                for (int i = 0; i < 3 * ContextChunk.SLOTS; i++) {
                    slab.acquire(1, null, ContextSlab.PLAIN);
                }
                slab.tokens().forEach(registry::cancel);
                slab.close(List.of(), false);
            }
        });
        long end = System.nanoTime() + 300_000_000;
        while (System.nanoTime() < end) {
            assertThat(growing.get().find(2)).isZero();
        }
        over.set(true);
        owner.join();
        assertThat(failure.get()).isNull();
    }

    private void complete(long[] operation) {
        if (contextOf(operation[0]) != operation[1]) {
            throw new AssertionError("token " + Long.toHexString(operation[0]) + " should lead to "
                    + Long.toHexString(operation[1]) + ", not to " + Long.toHexString(contextOf(operation[0])));
        }
        registry.cancel(operation[0]);
    }

    private long contextOf(long token) {
        ContextSlot slot = registry.find(token);
        assertThat(slot).as("token %x", token).isNotNull();
        return slot.context;
    }

    /** With a budget: what one thread does not need, and what comes back, others can have. */
    @Test
    void noThreadTakesAllThereIs() throws Exception {
        Budget budget = new Budget(4);
        ContextSlab slab = new ContextSlab(registry, false, budget, true);
        List<Long> mine = new ArrayList<>();
        for (long token = slab.acquire(1, null, ContextSlab.PLAIN); token != ContextSlab.FULL;
                token = slab.acquire(1, null, ContextSlab.PLAIN)) {
            mine.add(token);
        }
        assertThat(mine).hasSize(3 * ContextChunk.SLOTS);
        List<Long> theirs = new ArrayList<>();
        Thread other = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < ContextChunk.SLOTS; i++) {
                theirs.add(slab.acquire(2, null, ContextSlab.PLAIN));
            }
            theirs.add(slab.acquire(2, null, ContextSlab.PLAIN));
            for (int i = 0; i < 10; i++) {
                registry.cancel(mine.get(i));
            }
            for (int i = 0; i < 5; i++) {
                theirs.add(slab.acquire(2, null, ContextSlab.PLAIN));
            }
        });
        other.join(10_000);
        assertThat(theirs).hasSize(ContextChunk.SLOTS + 6);
        assertThat(theirs.remove(ContextChunk.SLOTS)).isEqualTo(ContextSlab.FULL);
        assertThat(theirs).doesNotContain(ContextSlab.FULL).doesNotHaveDuplicates();
        assertThat(slab.busy()).isEqualTo(mine.size() - 10 + theirs.size());
        for (int i = 0; i < 5; i++) {
            assertThat(slab.acquire(3, null, ContextSlab.PLAIN)).isNotEqualTo(ContextSlab.FULL);
        }
        assertThat(slab.acquire(3, null, ContextSlab.PLAIN)).isEqualTo(ContextSlab.FULL);
        for (long token : theirs) {
            assertThat(contextOf(token)).isEqualTo(2);
        }
    }
}
