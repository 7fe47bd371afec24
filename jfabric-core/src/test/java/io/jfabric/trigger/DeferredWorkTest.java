// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Counter;
import io.jfabric.Datatype;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.MessageRequest;
import io.jfabric.RemoteRegion;
import io.jfabric.RmaRequest;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.trigger.DeferredWorkImpl;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Deferred work on sockets, the only provider here that has it. */
class DeferredWorkTest {
    private static final Duration SECONDS = Duration.ofSeconds(5);

    private Arena arena;
    private Pair pair;
    private Counter trigger;
    private Counter done;

    @BeforeEach
    void open() {
        Providers.SOCKETS.assumeOffered();
        arena = Arena.ofShared();
        pair = Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA,
                Capability.ATOMIC, Capability.TRIGGER));
        trigger = pair.domain.openCounter();
        done = pair.domain.openCounter();
    }

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    private MemorySegment longs(long... values) {
        return arena.allocateFrom(JAVA_LONG, values);
    }

    private MessageRequest send(long value) {
        return pair.a.endpoint.messages().sendRequest().buffers(longs(value)).peer(pair.a.peer);
    }

    private RmaRequest write(MemorySegment buffer, RemoteRegion region, long offset) {
        return pair.a.endpoint.rma().writeRequest().buffers(buffer).peer(pair.a.peer)
                .range(region, offset, buffer.byteSize());
    }

    private AtomicRequest atomic(AtomicForm form, AtomicOp op, MemorySegment operand, RemoteRegion region) {
        return pair.a.endpoint.atomics().request(form, Datatype.INT64, op).buffers(operand).peer(pair.a.peer)
                .target(region, 0, operand.byteSize());
    }

    private static void aWhile() {
        LockSupport.parkNanos(20_000_000);
    }

    @Test
    void refusesWorkThatChangesWhatItWaitsFor() {
        assertThatThrownBy(() -> Deferral.at(trigger, 5).set(trigger, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("its own lock");
        Deferral.at(trigger, 5).add(done, 1);
        assertThatThrownBy(() -> Deferral.at(done, 5).set(trigger, 1))
                .isInstanceOf(IllegalArgumentException.class);
        trigger.set(7);
        pair.until("the work is done", () -> done.read() == 1);
        // which now waits for nothing
        Deferral.at(done, 5).set(trigger, 1);
    }

    /** What one thread queues must be known to the other one before the provider has it. */
    @Test
    void twoThreadsCloseNoCircle() throws Exception {
        long end = System.nanoTime() + 1_500_000_000L;
        try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            while (System.nanoTime() < end) {
                Counter one = pair.domain.openCounter();
                Counter other = pair.domain.openCounter();
                AtomicInteger ready = new AtomicInteger();
                Future<Boolean> back = pool.submit(() -> queues(ready, other, one));
                boolean there = queues(ready, one, other);
                assertThat(back.get()).as("one of them is refused").isNotEqualTo(there);
                // what waits, before what it needs
                (there ? one : other).close();
                (there ? other : one).close();
            }
        }
    }

    private static boolean queues(AtomicInteger ready, Counter waitedFor, Counter changed) {
        ready.incrementAndGet();
        while (ready.get() < 2) {
            Thread.onSpinWait();
        }
        try {
            Deferral.at(waitedFor, 1).add(changed, 1);
            return true;
        } catch (IllegalArgumentException circle) {
            return false;
        }
    }

    /** For the next round, say. */
    @Test
    void whatIsDoneKeepsNothingOpenWhenItsCounterIsSetBack() {
        MemorySegment in = longs(0);
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 5));
        DeferredWork work = Deferral.at(trigger, 1).completionCounter(done).queue(send(77));
        trigger.set(1);
        pair.await(pair.b, 5);
        pair.until("the work is done", () -> done.read() == 1);
        trigger.set(0);
        work.release();
        pair.a.endpoint.close();
    }

    @Test
    void aSendWaitsForItsCounter() {
        MemorySegment in = longs(0);
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 5));
        Deferral.at(trigger, 2).completionCounter(done).queue(send(77));
        trigger.add(1);
        aWhile();
        pair.progress();
        assertThat(pair.b.done()).isEmpty();
        trigger.add(1);
        pair.await(pair.b, 5);
        assertThat(in.get(JAVA_LONG, 0)).isEqualTo(77);
        assertThat(done.await(1, SECONDS)).isTrue();
        // deferred operations do not report to the completion queue
        assertThat(pair.a.done()).isEmpty();
    }

    @Test
    void aTaggedSendWithoutACompletionCounter() {
        MemorySegment in = longs(0);
        pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 3, 0, 5));
        // libfabric's sockets would add to the counter that is not there
        Deferral.at(trigger, 1).context(42).queue(pair.a.endpoint.tagged().sendRequest()
                .buffers(longs(78)).peer(pair.a.peer).tag(3));
        trigger.set(1);
        pair.await(pair.b, 5);
        assertThat(in.get(JAVA_LONG, 0)).isEqualTo(78);
    }

    /** Where the provider must have one for each operation, it is the same for all. */
    @Test
    void operationsWithoutACompletionCounterShareOne() {
        long before = counters();
        for (int i = 0; i < 100; i++) {
            Deferral.at(trigger, 1).queue(send(i));
        }
        assertThat(counters()).isEqualTo(before + 1);
    }

    private static long counters() {
        return Fabric.openObjects().stream().filter(object -> object.kind().equals("Counter")).count();
    }

    @Test
    void whatQueuedWorkNeedsStaysOpen() {
        Deferral.at(trigger, 1).completionCounter(done).queue(send(1));
        assertThatThrownBy(pair.a.endpoint::close).isInstanceOf(FabricException.class)
                .hasMessageContaining("counter reaches 1");
        assertThatThrownBy(done::close).isInstanceOf(FabricException.class).hasMessageContaining("bound to [endpoint");
        assertThat(pair.a.endpoint.isOpen()).isTrue();
        trigger.close();
        pair.a.endpoint.close();
        done.close();
        assertThat(done.isOpen()).isFalse();
    }

    /** It may be under way for long after its counter has started it. */
    @Test
    void theCounterOfItsEndStaysOpenAsLongAsTheEndpoint() {
        MemorySegment in = longs(0);
        Deferral.at(trigger, 1).completionCounter(done).queue(pair.b.endpoint.messages().receiveRequest()
                .buffers(in));
        pair.connect();
        trigger.set(1);
        assertThatThrownBy(done::close).isInstanceOf(FabricException.class).hasMessageContaining("bound to [endpoint");
        assertThat(done.isOpen()).isTrue();
        pair.post(() -> pair.a.endpoint.messages().send(longs(79), pair.a.peer, 1));
        pair.until("the receive has ended", () -> done.read() == 1);
        assertThat(in.get(JAVA_LONG, 0)).isEqualTo(79);
        pair.b.endpoint.close();
        done.close();
        assertThat(done.isOpen()).isFalse();
    }

    /** An operation that would start under the lock it takes is refused, whichever of the two comes first. */
    @Test
    void aCounterThatStartsTransmitsCountsNoneThatWereSent() {
        Deferral.at(done, 1).queue(send(1));
        assertThatThrownBy(() -> Deferral.at(trigger, 1).completionCounter(done).queue(send(2)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another counter");
        MessageRequest receive = pair.b.endpoint.messages().receiveRequest().buffers(longs(0));
        Deferral.at(done, 1).queue(receive);
        assertThatThrownBy(() -> Deferral.at(trigger, 1).completionCounter(done).queue(receive))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another counter");
        assertThatThrownBy(() -> Deferral.at(trigger, 1).completionCounter(trigger).queue(send(3)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another counter");
        // nor by way of others
        Counter between = pair.domain.openCounter();
        Deferral.at(between, 1).add(done, 1);
        Counter sent = pair.domain.openCounter();
        Deferral.at(sent, 1).set(between, 1);
        assertThatThrownBy(() -> Deferral.at(trigger, 1).completionCounter(sent).queue(send(4)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another counter");
        Counter other = pair.domain.openCounter();
        Deferral.at(trigger, 1).completionCounter(other).queue(send(5));
        assertThatThrownBy(() -> Deferral.at(other, 1).add(between, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another counter");
    }

    /** The provider's thread counts first and works afterwards: who sees the count and closes must not be faster. */
    @Test
    void aCounterIsClosedWhenTheWorkOnItIsDone() {
        pair.connect();
        for (int round = 0; round < 4; round++) {
            Counter arrivals = pair.domain.openCounter();
            Counter last = pair.domain.openCounter();
            long before = done.read();
            MemorySegment memory = arena.allocate(8);
            MemoryRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE);
            region.bind(arrivals);
            for (int i = 0; i < 3_000; i++) {
                Deferral.at(arrivals, 1).add(done, 1);
            }
            Deferral.at(arrivals, 1).set(last, 7);
            long context = round + 1;
            pair.post(() -> pair.a.endpoint.rma().write(longs(5), pair.a.peer, region.remote(), 0, context));
            Waits.spin("it arrives", () -> arrivals.read() > 0);
            last.close();
            assertThat(done.read() - before).isEqualTo(3_000);
            pair.await(pair.a, context);
            region.close();
            arrivals.close();
        }
    }

    @Test
    void errorsStartNothing() {
        Deferral.at(trigger, 1).add(done, 1);
        trigger.addErrors(1);
        aWhile();
        assertThat(done.read()).isZero();
        trigger.add(1);
        assertThat(done.await(1, SECONDS)).isTrue();
    }

    /** The provider would start it out of freed memory. */
    @Test
    void workThatWaitsIsNotReleased() {
        DeferredWork work = Deferral.at(trigger, 1).completionCounter(done).queue(send(1));
        assertThatThrownBy(work::release).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("close the counter first");
        assertThatThrownBy(pair.a.endpoint::close).isInstanceOf(FabricException.class);
        trigger.close();
        work.release();
        pair.a.endpoint.close();
    }

    /** A receive that has started takes the next message, whenever that comes. */
    @Test
    void whatIsUnderWayKeepsItsMemoryWhenReleased() {
        FabricArena memory = pair.domain.openArena();
        MemorySegment in = memory.allocate(8);
        WeakReference<MemorySegment.Scope> struct = receiveAndRelease(in);
        assertThat(memory.tryClose()).isFalse();
        for (int i = 0; i < 5; i++) {
            System.gc();
            aWhile();
        }
        assertThat(struct.get()).isNotNull();
        pair.post(() -> pair.a.endpoint.messages().send(longs(79), pair.a.peer, 1));
        pair.until("the receive has ended", () -> done.read() == 1);
        assertThat(in.get(JAVA_LONG, 0)).isEqualTo(79);
        pair.b.endpoint.close();
        memory.close();
    }

    /** Returns the scope of the provider's struct. */
    private WeakReference<MemorySegment.Scope> receiveAndRelease(MemorySegment in) {
        DeferredWork work = Deferral.at(trigger, 1).completionCounter(done)
                .queue(pair.b.endpoint.messages().receiveRequest().buffers(in));
        trigger.add(1);
        work.release();
        return new WeakReference<>(((DeferredWorkImpl) work).arena().scope());
    }

    @Test
    void whatIsRefusedLeavesNoTrace() {
        MessageRequest nobody = pair.a.endpoint.messages().sendRequest().buffers(longs(1));
        assertThatThrownBy(() -> Deferral.at(done, 1).queue(nobody))
                .hasMessageContaining("address vector");
        assertThatThrownBy(() -> Trigger.at(done, 1).post(nobody, 1)).hasMessageContaining("address vector");
        // done starts no transmits, so it may count those that were sent
        Deferral.at(trigger, 1).completionCounter(done).queue(send(2));
    }

    @Test
    void aDomainIsClosedWithItsQueuedWork() {
        Deferral.at(trigger, 1).completionCounter(done).queue(send(1));
        pair.domain.close();
        assertThat(trigger.isOpen()).isFalse();
    }

    @Test
    void receivesCanBeDeferredToo() {
        MemorySegment untagged = longs(0);
        MemorySegment tagged = longs(0);
        Deferral.at(trigger, 1).completionCounter(done)
                .queue(pair.b.endpoint.messages().receiveRequest().buffers(untagged));
        Deferral.at(trigger, 1).completionCounter(done)
                .queue(pair.b.endpoint.tagged().receiveRequest().buffers(tagged).tag(0x10).ignore(0xF));
        trigger.add(1);
        pair.post(() -> pair.a.endpoint.messages().send(longs(1), pair.a.peer, 1));
        pair.post(() -> pair.a.endpoint.tagged().send(longs(2), pair.a.peer, 0x13, 2));
        assertThat(done.await(2, SECONDS)).isTrue();
        assertThat(untagged.get(JAVA_LONG, 0)).isEqualTo(1);
        assertThat(tagged.get(JAVA_LONG, 0)).isEqualTo(2);
    }

    @Test
    void aChainFiresInOrder() {
        Counter first = pair.domain.openCounter();
        Counter second = pair.domain.openCounter();
        MemorySegment target = longs(0, 0);
        MemoryRegion region = pair.domain.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
        RemoteRegion there = region.remote();
        MemorySegment back = longs(0, 0);
        // queued backwards: what runs when is up to the counters
        Deferral.at(second, 1).completionCounter(done).queue(pair.a.endpoint.rma().readRequest()
                .buffers(back).peer(pair.a.peer).range(there, 0, 16));
        Deferral.at(first, 1).completionCounter(second).queue(write(longs(22), there, 8));
        Deferral.at(trigger, 1).completionCounter(first).queue(write(longs(11), there, 0));
        aWhile();
        assertThat(done.read()).isZero();
        trigger.add(1);
        assertThat(done.await(1, SECONDS)).isTrue();
        assertThat(first.read()).isEqualTo(1);
        assertThat(second.read()).isEqualTo(1);
        assertThat(back.toArray(JAVA_LONG)).containsExactly(11, 22);
    }

    @Test
    void atomicsOfAllKinds() {
        MemorySegment target = longs(100);
        MemoryRegion region = pair.domain.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
        MemorySegment fetched = longs(0);
        MemorySegment compared = longs(0);
        Counter two = pair.domain.openCounter();
        Counter three = pair.domain.openCounter();
        Deferral.at(trigger, 1).completionCounter(two)
                .queue(atomic(AtomicForm.BASE, AtomicOp.SUM, longs(5), region.remote()));
        Deferral.at(two, 1).completionCounter(three)
                .queue(atomic(AtomicForm.FETCH, AtomicOp.SUM, longs(6), region.remote()).results(fetched));
        Deferral.at(three, 1).completionCounter(done)
                .queue(atomic(AtomicForm.COMPARE, AtomicOp.CSWAP, longs(1), region.remote()).comparands(longs(111))
                        .results(compared));
        trigger.add(1);
        assertThat(done.await(1, SECONDS)).isTrue();
        assertThat(fetched.get(JAVA_LONG, 0)).isEqualTo(105);
        assertThat(compared.get(JAVA_LONG, 0)).isEqualTo(111);
        assertThat(target.get(JAVA_LONG, 0)).isEqualTo(1);
    }

    @Test
    void countersCanBeSetAndAddedTo() {
        Counter other = pair.domain.openCounter();
        Deferral.at(trigger, 1).set(done, 10);
        Deferral.at(done, 10).add(other, 3);
        assertThat(other.read()).isZero();
        trigger.add(1);
        assertThat(other.await(3, SECONDS)).isTrue();
        assertThat(done.read()).isEqualTo(10);
        assertThatThrownBy(() -> Deferral.at(trigger, 1).completionCounter(done).add(other, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("completion counter");
    }

    @Test
    void sixteenWorksOutliveTheGarbageCollector() {
        MemorySegment target = longs(new long[16]);
        MemoryRegion region = pair.domain.register(target, MemoryAccess.REMOTE_WRITE);
        for (int i = 0; i < 16; i++) {
            Deferral.at(trigger, 1).completionCounter(done)
                    .queue(write(Arena.ofAuto().allocateFrom(JAVA_LONG, i + 1), region.remote(), 8L * i));
        }
        System.gc();
        trigger.add(1);
        assertThat(done.await(16, SECONDS)).isTrue();
        pair.until("last write", () -> target.getAtIndex(JAVA_LONG, 15) == 16);
        assertThat(target.getAtIndex(JAVA_LONG, 7)).isEqualTo(8);
    }

    @Test
    void cancelAndFlushSayThatSocketsLacksThem() {
        DeferredWork work = Deferral.at(trigger, 1).add(done, 1);
        assertThatThrownBy(work::cancel).isInstanceOfSatisfying(FabricException.class, e ->
                assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("FI_CANCEL_WORK");
        assertThatThrownBy(() -> Deferral.flush(trigger)).isInstanceOf(FabricException.class)
                .hasMessageContaining("FI_FLUSH_WORK");
        assertThatThrownBy(() -> Deferral.flushAll(pair.domain)).isInstanceOf(FabricException.class);
        assertThatThrownBy(() -> Deferral.flush(null)).isInstanceOf(NullPointerException.class);
        trigger.add(1);
        assertThat(done.await(1, SECONDS)).isTrue();
        work.release();
    }

    @Test
    void badArgumentsAreNamed() {
        MemorySegment odd = arena.allocate(7);
        RemoteRegion eight = RemoteRegion.of(0, 8, 0);
        Deferral deferral = Deferral.at(trigger, 1);
        AtomicRequest sum = atomic(AtomicForm.BASE, AtomicOp.SUM, longs(1), eight);
        assertThatThrownBy(() -> deferral.queue(sum.buffers(odd)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("7 bytes");
        AtomicRequest fetch = atomic(AtomicForm.FETCH, AtomicOp.SUM, longs(1), eight).results(odd);
        assertThatThrownBy(() -> deferral.queue(fetch)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> write(longs(1), eight, 1))
                .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("fi_writemsg");
        assertThatThrownBy(() -> atomic(AtomicForm.BASE, AtomicOp.SUM, longs(1, 2), eight))
                .isInstanceOf(IndexOutOfBoundsException.class);
        // the target's side would call a null pointer
        assertThatThrownBy(() -> pair.a.endpoint.atomics().request(AtomicForm.BASE, Datatype.DOUBLE, AtomicOp.BXOR))
                .isInstanceOf(FabricException.class).hasMessageContaining("no BXOR of DOUBLE");
        assertThatThrownBy(() -> Deferral.at(null, 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> deferral.queue(null)).isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void otherProvidersSayThatTheyLackIt(Providers.Choice choice) {
        if (choice.equals(Providers.SOCKETS)) {
            return;
        }
        assertThat(choice.isOffered(h -> h.capabilities(Capability.TRIGGER))).isFalse();
        try (Pair other = Pair.open(choice)) {
            Counter counter = other.domain.openCounter();
            assertThatThrownBy(() -> Deferral.at(counter, 1)
                    .queue(other.a.endpoint.messages().sendRequest().buffers(longs(1)).peer(other.a.peer)))
                    .isInstanceOfSatisfying(FabricException.class, e ->
                            assertThat(e.error()).isEqualTo(FabricError.ENOSYS));
        }
    }
}
