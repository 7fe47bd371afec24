// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Datatype;
import io.jfabric.FabricArena;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.TaggedRequest;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.OpenDomains;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A region that another thread closes after its descriptor was looked up and before the operation is inside: it is not
 * used, and the buffer is registered for the operation instead.
 */
class StaleDescriptorTest {
    private static final long SIZE = 64;

    private MemorySegment buffer = Arena.ofAuto().allocate(SIZE, 8);
    private final MemorySegment target = Arena.ofAuto().allocate(SIZE, 8);

    /** Makes an operation that can be posted; false for busy. */
    @FunctionalInterface
    private interface Maker {
        BooleanSupplier make(Pair pair, RemoteRegion remote);
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM, Providers.SOCKETS);
    }

    private static void demandRegistration(FabricInfo info) {
        info.domain().mrMode(Flags.ofBits(MrMode.class, info.domain().mrMode().bits() | MrMode.LOCAL.code()));
    }

    private static Pair open(Providers.Choice choice) {
        return Pair.openChanged(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.ATOMIC), StaleDescriptorTest::demandRegistration).connect();
    }

    private MemoryRegion register(Pair pair) {
        return pair.domain.register(buffer, MemoryAccess.SEND, MemoryAccess.RECV, MemoryAccess.READ,
                MemoryAccess.WRITE);
    }

    private static DomainState domain(Pair pair) {
        return ((DomainImpl) pair.domain).state();
    }

    /** Posts, and does something else after the look and before the thread is inside; returns what the post throws. */
    private Throwable meanwhile(Pair pair, Maker maker, Runnable action) {
        RemoteRegion remote = pair.domain.register(target, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                .remote();
        BooleanSupplier operation = maker.make(pair, remote);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(catchThrowable(() -> pair.post(operation))));
        domain(pair).object().exclusively(() -> {
            thread.start();
            // it has looked
            pair.untilWithoutProgress("the other thread is at the door", () -> isAtTheDoor(thread));
            action.run();
        });
        Threads.join(thread);
        return thrown.get();
    }

    private void looksAgain(Providers.Choice choice, Maker maker) {
        try (Pair pair = open(choice)) {
            MemoryRegion region = register(pair);
            assertThat(meanwhile(pair, maker, region::close)).isNull();
            assertThat(OpenDomains.underWay(Kept.class::isInstance)).isNotEmpty();
        }
        refusesWhatIsFreed(choice, maker);
    }

    /** The region goes with the arena: the memory is not registered once more. */
    private void refusesWhatIsFreed(Providers.Choice choice, Maker maker) {
        try (Pair pair = open(choice)) {
            FabricArena arena = pair.domain.openArena();
            buffer = arena.allocate(SIZE, 8);
            long[] key = new long[1];
            Throwable thrown = meanwhile(pair, maker, () -> {
                arena.close();
                key[0] = domain(pair).nextKey();
            });
            assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("arena");
            assertThat(domain(pair).nextKey()).isEqualTo(key[0] + 1);
        }
    }

    /** Nothing is looked up again for another region, nor for a registration of the operation's own. */
    @ParameterizedTest
    @MethodSource("providers")
    void staysWhenOthersGo(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            LocalBuffers local = new LocalBuffers(domain(pair), 0, 0, true, true);
            MemoryRegion region = register(pair);
            BufferTable registered = new BufferTable();
            registered.add(buffer.address(), SIZE);
            registered.add(0, 0);
            Object keep = local.describe(registered, buffer, true);
            assertThat(keep).isSameAs(buffer);
            BufferTable unregistered = new BufferTable();
            unregistered.add(target.address(), SIZE);
            Object own = local.describe(unregistered, target, true);
            pair.domain.register(Arena.ofAuto().allocate(SIZE), MemoryAccess.SEND).close();
            assertThat(local.isStale(registered, keep)).isFalse();
            assertThat(registered.describedAfter()).isEqualTo(domain(pair).localRegions().removals());
            assertThat(local.isStale(unregistered, own)).isFalse();
            region.close();
            assertThat(local.isStale(registered, keep)).isTrue();
            assertThat(local.isStale(unregistered, own)).isFalse();
            ((Kept) own).release();
            local.close();
        }
    }

    /** What was registered for the operation so far would keep the domain open. */
    @ParameterizedTest
    @MethodSource("providers")
    void startingOverLeavesNothingBehind(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            LocalBuffers local = new LocalBuffers(domain(pair), 0, 0, true, true);
            BufferTable table = new BufferTable();
            table.add(target.address(), SIZE);
            Object own = local.describe(table, target, true);
            assertThat(own).isInstanceOf(Kept.class);
            AtomicInteger left = new AtomicInteger();
            assertThat(LocalBuffers.startOver(own, left::incrementAndGet)).isSameAs(target);
            assertThat(left).hasValue(1);
            local.close();
            pair.domain.close();
            assertThat(pair.domain.isOpen()).isFalse();
        }
    }

    private static boolean isAtTheDoor(Thread thread) {
        // in a pause between two looks
        return thread.getState() == Thread.State.TIMED_WAITING && Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Gate.class.getName()));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofSends(Providers.Choice choice) {
        looksAgain(choice, (pair, remote) -> () -> pair.a.endpoint.messages().send(buffer, pair.a.peer, 1));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofReceives(Providers.Choice choice) {
        looksAgain(choice, (pair, remote) -> () -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 1));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofReads(Providers.Choice choice) {
        looksAgain(choice, (pair, remote) -> () -> pair.a.endpoint.rma().read(buffer, pair.a.peer, remote, 0, 1));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofRequests(Providers.Choice choice) {
        looksAgain(choice, (pair, remote) -> {
            TaggedRequest request = pair.b.endpoint.tagged().receiveRequest().buffers(buffer);
            return () -> request.post(1);
        });
    }

    /** Whose operand is the result. */
    @ParameterizedTest
    @MethodSource("providers")
    void ofAtomicRequests(Providers.Choice choice) {
        looksAgain(choice, (pair, remote) -> {
            assumeThat(pair.a.endpoint.atomics().maxCount(AtomicForm.FETCH, Datatype.INT64, AtomicOp.ATOMIC_READ))
                    .as("elements that an atomic read takes").isPositive();
            AtomicRequest request = pair.a.endpoint.atomics()
                    .request(AtomicForm.FETCH, Datatype.INT64, AtomicOp.ATOMIC_READ).results(buffer)
                    .peer(pair.a.peer).target(remote, 0, SIZE);
            return () -> request.post(1);
        });
    }
}
