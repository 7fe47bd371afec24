// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Counter;
import io.jfabric.Endpoint;
import io.jfabric.FabricArena;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.option.BindFlag;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.trigger.Deferral;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What was never closed goes on to use memory: a provider with a thread of its own, like sockets, writes to it although
 * nobody can reach anything any more.
 */
class ForgottenTest {
    /** Opens a pair and lets it use memory, in a thread that ends, as those of programs do. */
    private static final class Program implements Runnable {
        private final Supplier<Pair> opener;
        private final Function<Pair, MemorySegment> use;
        private Pair pair;
        private WeakReference<MemorySegment.Scope> memory;

        Program(Supplier<Pair> opener, Function<Pair, MemorySegment> use) {
            this.opener = opener;
            this.use = use;
        }

        @Override
        public void run() {
            pair = opener.get();
            memory = new WeakReference<>(use.apply(pair).scope());
        }

        Left left() {
            return new Left(new WeakReference<>(pair.b.endpoint), memory);
        }
    }

    private record Left(WeakReference<Endpoint> endpoint, WeakReference<MemorySegment.Scope> memory) {
    }

    private static Pair triggering() {
        return Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.RMA, Capability.TRIGGER));
    }

    private static MemorySegment memory() {
        return Arena.ofAuto().allocate(1 << 16);
    }

    private static Left run(Supplier<Pair> opener, Function<Pair, MemorySegment> use) throws InterruptedException {
        Program program = new Program(opener, use);
        Thread thread = new Thread(program);
        thread.start();
        thread.join();
        return program.left();
    }

    private static void awaitForgotten(Left left) throws InterruptedException {
        for (int i = 0; i < 500 && left.endpoint.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(left.endpoint.get()).as("becomes garbage, which is warned about").isNull();
    }

    private static void keepsItsMemory(Supplier<Pair> opener, Function<Pair, MemorySegment> use)
            throws InterruptedException {
        Providers.SOCKETS.assumeOffered();
        Left left = run(opener, use);
        awaitForgotten(left);
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(left.memory.get()).isNotNull();
    }

    /** Whose endpoints are of one family, and watched by a thread. */
    @Test
    void isWarnedAboutOnSharedMemory() throws InterruptedException {
        Providers.SHM.assumeOffered();
        awaitForgotten(run(() -> Pair.open(Providers.SHM), pair -> receive(pair, memory())));
    }

    @Test
    void ofArenas() throws InterruptedException {
        keepsItsMemory(() -> Pair.open(Providers.SOCKETS),
                pair -> receive(pair, pair.domain.openArena().allocate(1 << 16)));
    }

    private static MemorySegment receive(Pair pair, MemorySegment in) {
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
        return in;
    }

    @Test
    void ofReceives() throws InterruptedException {
        keepsItsMemory(() -> Pair.open(Providers.SOCKETS), pair -> receive(pair, memory()));
    }

    @Test
    @Tag("long")
    void ofReceivesThatReportNothing() throws InterruptedException {
        keepsItsMemory(() -> Pair.open(Providers.SOCKETS), pair -> receiveUnreported(pair, memory()));
    }

    private static MemorySegment receiveUnreported(Pair pair, MemorySegment in) {
        Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(pair.b.queue, BindFlag.TRANSMIT)
                .bind(pair.b.queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).bind(pair.b.addresses).enable();
        pair.post(() -> endpoint.messages().receive(in, Address.ANY, 1));
        return in;
    }

    /** Which is registered for the operation. */
    @Test
    @Tag("long")
    void ofReceivesThatNeedRegisteredMemory() throws InterruptedException {
        keepsItsMemory(() -> Pair.openChanged(Providers.SOCKETS, hints -> { }, ForgottenTest::demandRegistration),
                pair -> receive(pair, memory()));
    }

    private static void demandRegistration(FabricInfo info) {
        info.domain().mrMode(Flags.ofBits(MrMode.class, info.domain().mrMode().bits() | MrMode.LOCAL.code()));
    }

    @Test
    void ofRegions() throws InterruptedException {
        keepsItsMemory(ForgottenTest::triggering, pair ->
                pair.domain.register(memory(), MemoryAccess.REMOTE_WRITE).memory());
    }

    @Test
    void ofWorkThatIsQueued() throws InterruptedException {
        keepsItsMemory(ForgottenTest::triggering, pair -> {
            MemorySegment in = memory();
            Counter counter = pair.domain.openCounter();
            Deferral.at(counter, 1).queue(pair.b.endpoint.messages().receiveRequest().buffers(in));
            counter.add(1);
            return in;
        });
    }

    @Test
    @Tag("long")
    void ofTriggeredOperations() throws InterruptedException {
        keepsItsMemory(ForgottenTest::triggering, pair -> trigger(pair, memory()));
    }

    private static MemorySegment trigger(Pair pair, MemorySegment in) {
        Counter counter = pair.domain.openCounter();
        pair.post(() -> Trigger.at(counter, 1).post(pair.b.endpoint.messages().receiveRequest().buffers(in), 1));
        return in;
    }

    /** It keeps something for its next call. */
    @Test
    void ofAThreadThatGoesOn() throws InterruptedException {
        Providers.SOCKETS.assumeOffered();
        awaitForgotten(runHere(pair -> receive(pair, memory())));
    }

    @Test
    void ofAThreadThatGoesOnAndHasWritten() throws InterruptedException {
        Providers.SOCKETS.assumeOffered();
        awaitForgotten(runHere(pair -> {
            MemorySegment memory = memory();
            RemoteRegion region = pair.domain.register(memory, MemoryAccess.REMOTE_WRITE).remote();
            pair.post(() -> pair.b.endpoint.rma().write(memory(), pair.b.peer, region, 0, 1));
            return memory;
        }));
    }

    private static Left runHere(Function<Pair, MemorySegment> use) {
        Program program = new Program(() -> Pair.openChanged(Providers.SOCKETS,
                hints -> hints.capabilities(Capability.MSG, Capability.RMA), ForgottenTest::demandRegistration), use);
        program.run();
        return program.left();
    }

    private static MemorySegment confined() {
        return Arena.ofConfined().allocate(1 << 16);
    }

    /** Memory that is a thread's own leads to what this ran. */
    private static void isForgotten(Supplier<Pair> opener, Function<Pair, MemorySegment> use)
            throws InterruptedException {
        Providers.SOCKETS.assumeOffered();
        awaitForgotten(run(opener, use));
    }

    @Test
    void inSpiteOfConfinedReceives() throws InterruptedException {
        isForgotten(() -> Pair.open(Providers.SOCKETS), pair -> receive(pair, confined()));
    }

    /** Slots of a second thread are apart as long as the first lives. */
    @Test
    void inSpiteOfConfinedReceivesOfASecondThread() throws InterruptedException {
        isForgotten(() -> Pair.open(Providers.SOCKETS), pair -> {
            CountDownLatch posted = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            Thread first = new Thread(() -> {
                receive(pair, memory());
                posted.countDown();
                Threads.await(over);
            });
            first.start();
            Threads.await(posted);
            MemorySegment in = receive(pair, confined());
            over.countDown();
            return in;
        });
    }

    @Test
    void inSpiteOfConfinedReceivesThatReportNothing() throws InterruptedException {
        isForgotten(() -> Pair.open(Providers.SOCKETS), pair -> receiveUnreported(pair, confined()));
    }

    @Test
    void inSpiteOfConfinedRegions() throws InterruptedException {
        isForgotten(ForgottenTest::triggering, pair ->
                pair.domain.register(confined(), MemoryAccess.REMOTE_WRITE).memory());
    }

    @Test
    void inSpiteOfConfinedTriggeredOperations() throws InterruptedException {
        isForgotten(ForgottenTest::triggering, pair -> trigger(pair, confined()));
    }

    /** And memory of others is not freed under it. */
    @Test
    void keepsArenasOpen() throws InterruptedException {
        Providers.SOCKETS.assumeOffered();
        try (Pair owner = Pair.open(Providers.SOCKETS)) {
            FabricArena arena = owner.domain.openArena();
            MemorySegment in = arena.allocate(1 << 16);
            awaitForgotten(run(() -> Pair.open(Providers.SOCKETS), pair -> receive(pair, in)));
            assertThat(arena.tryClose()).isFalse();
            assertThatThrownBy(arena::close).hasMessageContaining("nobody refers to");
        }
    }
}
