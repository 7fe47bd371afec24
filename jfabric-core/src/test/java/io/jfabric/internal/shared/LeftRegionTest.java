// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As a domain is closed, a thread has registered memory for an operation that is not started yet, or is over. */
@Timeout(60)
class LeftRegionTest {
    private final FailingCalls closing = new FailingCalls(Errno.EBUSY);
    private final AtomicInteger over = new AtomicInteger();

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.SOCKETS, Providers.RXM);
    }

    private static Pair open(Providers.Choice choice) {
        return Pair.openChanged(choice, hints -> { }, LeftRegionTest::demandRegistration);
    }

    private static void demandRegistration(FabricInfo info) {
        info.domain().mrMode(info.domain().mrMode().with(MrMode.LOCAL));
    }

    private DomainState watched(Pair pair) {
        DomainState domain = ((DomainImpl) pair.domain).state();
        closing.closeRegions(domain.object().fid(), region -> region);
        return domain;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theDomainClosesIt(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            DomainState domain = watched(pair);
            MemorySegment memory = arena.allocate(128);
            LocalRegion shared = LocalRegion.of(domain, memory.address(), 64);
            LocalRegion alone = LocalRegion.alone(domain, memory.address() + 64, 64);
            long descriptor = shared.descriptor();
            pair.fabric.close();
            assertThat(pair.fabric.isOpen()).isFalse();
            assertThat(closing.passed()).isEqualTo(2);
            assertThat(shared.is(descriptor, memory.address(), 64)).isTrue();
            shared.close();
            alone.closeAlone(over::incrementAndGet);
            assertThat(closing.passed()).as("once").isEqualTo(2);
            assertThat(over).hasValue(1);
        }
    }

    static Stream<Providers.Choice> askedAgain() {
        return Providers.offered(Providers.SHM, Providers.SOCKETS);
    }

    @ParameterizedTest
    @MethodSource("askedAgain")
    void theDomainStaysWhileTheProviderRefuses(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            LocalRegion region = LocalRegion.alone(watched(pair), arena.allocate(64).address(), 64);
            closing.next(1);
            assertThatThrownBy(pair.domain::close).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_EBUSY").hasMessageContaining("close it again later");
            assertThat(pair.domain.isOpen()).isTrue();
            closing.next(1);
            region.closeAlone(over::incrementAndGet);
            assertThat(over).as("the provider still has it").hasValue(0);
            pair.domain.close();
            assertThat(pair.domain.isOpen()).isFalse();
            assertThat(over).hasValue(1);
            assertThat(closing.passed()).isOne();
        }
    }

    private static void demandPrefix(FabricInfo info) {
        demandRegistration(info);
        info.endpoint().messagePrefixSize(24);
        info.tx().mode(Mode.MSG_PREFIX);
        info.rx().mode(Mode.MSG_PREFIX);
    }

    /** Each message has its buffers registered, but prefixes serve again, and go with their endpoint. */
    @ParameterizedTest
    @MethodSource("providers")
    void nothingIsLeftOfMessagesWithPrefixes(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, hints -> { }, LeftRegionTest::demandPrefix)) {
            DomainState domain = watched(pair);
            for (int i = 0; i < 3; i++) {
                MemorySegment in = arena.allocate(64, 4096);
                MemorySegment out = arena.allocate(64, 4096);
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
                pair.await(pair.a, 2);
                pair.await(pair.b, 1);
            }
            int ofBuffers = closing.passed();
            pair.a.endpoint.close();
            pair.b.endpoint.close();
            assertThat(closing.passed()).as("with a prefix for each direction").isEqualTo(ofBuffers + 2);
            assertThat(domain.ownRegions().closeAll()).isZero();
            assertThat(closing.passed()).as("with what the endpoints have left").isEqualTo(ofBuffers + 2);
        }
    }

    private static void send(Pair pair, MemorySegment memory) {
        try {
            while (true) {
                pair.a.endpoint.messages().send(memory, pair.a.peer, 2);
            }
        } catch (IllegalStateException | FabricException closed) {
            return;
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void threadsMaySendMeanwhile(Providers.Choice choice) throws InterruptedException {
        for (int round = 0; round < 5; round++) {
            try (Arena arena = Arena.ofShared(); Pair pair = open(choice).connect()) {
                List<Thread> senders = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    MemorySegment memory = arena.allocate(64);
                    senders.add(Thread.ofPlatform().start(() -> send(pair, memory)));
                }
                Thread.sleep(4);
                try {
                    pair.fabric.close();
                    assertThat(pair.fabric.isOpen()).isFalse();
                } finally {
                    for (Thread sender : senders) {
                        sender.join();
                    }
                }
            }
        }
    }
}
