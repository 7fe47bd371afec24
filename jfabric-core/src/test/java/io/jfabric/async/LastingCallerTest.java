// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.FreePort;
import io.jfabric.testkit.Waits;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller of a service whose process is killed and started again. */
@Timeout(120)
class LastingCallerTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final CallerOptions SOON = CallerOptions.DEFAULT.withDeadline(Duration.ofSeconds(20));

    private static void awaitReady(ChildJvm child) {
        ChildAddress.text(child);
    }

    private static boolean answers(Caller caller) {
        try {
            return caller.call(new byte[] {1, 2}).get(40, TimeUnit.SECONDS).length == 2;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(FabricException.class);
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"tcp", "shm"})
    void findsEachProcessAtTheAddress(String provider) throws Exception {
        boolean isShm = provider.equals("shm");
        String place = KeepAliveChild.place(provider);
        Address address = isShm ? Address.of("fi_shm://" + place + ":0:0")
                : Address.of(new InetSocketAddress("127.0.0.1", Integer.parseInt(place)));
        ChildJvm process = null;
        try (Node node = KeepAliveChild.open(provider, null); KeepAlive alive = KeepAlive.open(node, INTERVAL, 4)) {
            Caller caller = Caller.open(alive, address, 1, SOON);
            process = ChildJvm.of(KeepAliveChild.class, provider, Long.toString(INTERVAL.toMillis()), place).start();
            awaitReady(process);
            // on a busy machine it may seem to be down, and is found again
            Waits.until("it answers", () -> answers(caller));
            for (int round = 1; round <= 3; round++) {
                Peer before = caller.peer();
                process.kill();
                Waits.until("its end is noticed", () -> !before.isOpen());
                assertThat(caller.isOpen()).isTrue();
                process = process.restart();
                awaitReady(process);
                // a peer that was made while nobody was there may be down once more
                Waits.until("the next is found", () -> answers(caller));
                assertThat(caller.peer()).isNotSameAs(before);
                assertThat(caller.answered()).isGreaterThan(round);
            }
            caller.close();
            assertThat(caller.isOpen()).isFalse();
            assertThat(answers(caller)).isFalse();
        } finally {
            if (process != null) {
                process.close();
            }
            if (isShm) {
                Files.deleteIfExists(Path.of("/dev/shm", place + ":0:0"));
            }
        }
    }

    private static Address chosen(String provider) {
        return provider.equals("shm") ? Address.of("fi_ns://jfabric-early-" + NAMES.incrementAndGet() + "-"
                + ProcessHandle.current().pid())
                : Address.of(new InetSocketAddress("127.0.0.1", FreePort.choose()));
    }

    private static Node openAt(String provider, Address address) {
        try (Hints hints = Hints.rdm().provider(provider).sourceAddress(address)) {
            return Node.open(hints);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void mayBeOpenedBeforeItsService(String provider) {
        Address address = chosen(provider);
        try (Node node = KeepAliveChild.open(provider, null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(250), 4);
                Caller caller = Caller.open(alive, address, 1, SOON)) {
            Peer none = caller.peer();
            assertThat(none.address()).isEqualTo(address);
            assertThat(none.node()).isSameAs(node);
            assertThatThrownBy(() -> caller.call(new byte[1]).get(20, TimeUnit.SECONDS))
                    .satisfies(why -> assertThat(Caller.wasNotHandled(why)).isTrue())
                    .hasMessageContaining("FI_EHOSTDOWN").hasMessageContaining(address.toString());
            assertThat(caller.isOpen()).isTrue();
            assertThat(caller.failed()).isEqualTo(1);
            assertThat(none.ended()).failsWithin(Duration.ofSeconds(20));
            assertThat(none.isOpen()).isFalse();
            assertThat(node.send(node.allocate(8), none, 3)).failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat().withMessageContaining("FI_EHOSTDOWN");
            try (Node server = openAt(provider, address); KeepAlive _ = KeepAlive.open(server);
                    Service _ = Service.open(server, 1, CallHandler.of(bytes -> bytes))) {
                Waits.until("it answers", () -> answers(caller));
                assertThat(caller.peer()).isNotSameAs(none);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void endsBeforeItsServiceCame(String provider) throws Exception {
        Address address = chosen(provider);
        try (Node node = KeepAliveChild.open(provider, null)) {
            KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(50), 2);
            Caller closed = Caller.open(alive, address, 1, SOON);
            closed.close();
            Peer last = closed.peer();
            Caller unwatched = Caller.open(alive, address, 1, SOON);
            alive.close();
            unwatched.peer().close();
            Waits.until("it is closed, as nobody would watch the next", () -> !unwatched.isOpen());
            assertThatThrownBy(() -> Caller.open(alive, address, 1, SOON)).isInstanceOf(IllegalStateException.class);
            Peer lastUnwatched = unwatched.peer();
            try (Node _ = openAt(provider, address)) {
                Thread.sleep(200);
                assertThat(closed.peer()).isSameAs(last);
                assertThat(unwatched.peer()).isSameAs(lastUnwatched);
            }
        }
    }

    /** With some releases of shm as its name is in use for what was sent, with others if the vector is full. */
    @Test
    void tellsWhyTheNextProcessIsNotReached() throws Exception {
        Quirks quirks = Quirks.of("shm");
        boolean byName = quirks.has(Quirk.RETURNS_TO_NAMES);
        assumeTrue(byName || !quirks.has(Quirk.ABSENT_PEERS_SHARE), "names that nobody has take no places");
        String place = KeepAliveChild.place("shm");
        ChildJvm first = ChildJvm.of(KeepAliveChild.class, "shm", "250", place).start();
        ChildJvm next = null;
        try (Node node = KeepAliveChild.open("shm", null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(250), 4)) {
            awaitReady(first);
            assertThat(first.output()).doesNotContain("was killed");
            Caller caller = Caller.open(alive, Address.of("fi_shm://" + place + ":0:0"), 1, SOON);
            Waits.until("it answers", () -> answers(caller));
            for (int i = 0; !byName && i < 255; i++) {
                node.peer(Address.of("fi_shm://" + place + "-none-" + i));
            }
            first.kill();
            // so long that it is under way until it is read
            caller.call(new byte[8_000]);
            next = first.restart();
            awaitReady(next);
            Waits.until("calls tell the reason", () -> failure(caller).contains("is tried again"));
            assertThat(failure(caller)).contains("FI_EHOSTDOWN",
                    byName ? "give the new endpoint a new name" : "open another vector");
            assertThat(caller.isOpen()).isTrue();
            if (byName) {
                assertThat(next.output()).contains(place, "was killed", "Give each start a name of its own");
            }
        } finally {
            first.close();
            if (next != null) {
                next.close();
            }
            Files.deleteIfExists(Path.of("/dev/shm", place + ":0:0"));
        }
    }

    private static String failure(Caller caller) {
        try {
            caller.call(new byte[1]).get(40, TimeUnit.SECONDS);
            return "";
        } catch (ExecutionException e) {
            assertThat(Caller.wasNotHandled(e) || !e.getMessage().contains("is tried again")).isTrue();
            return e.getMessage();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Nothing listens there any more, so every attempt would end soon: it must not go on. */
    @Test
    void closingEndsTheAttempts() throws Exception {
        try (Node node = KeepAliveChild.open("tcp", null)) {
            Address address;
            Caller caller;
            KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(50), 2);
            try (Node server = KeepAliveChild.open("tcp", null); KeepAlive _ = KeepAlive.open(server);
                    Service _ = Service.open(server, 1, CallHandler.of(bytes -> bytes))) {
                address = server.address();
                caller = Caller.open(alive, address, 1, SOON);
                Waits.until("it answers", () -> answers(caller));
            }
            Peer first = caller.peer();
            Waits.until("the next attempt", () -> caller.peer() != first);
            CompletableFuture<byte[]> waits = caller.call(new byte[1]);
            caller.close();
            caller.close();
            assertThatThrownBy(() -> waits.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
            Peer last = caller.peer();
            Thread.sleep(500);
            assertThat(caller.peer()).isSameAs(last);

            Caller other = Caller.open(alive, address, 1);
            alive.close();
            other.peer().close();
            Waits.until("it is closed with its peer, or as nobody watches the next", () -> !other.isOpen());
            assertThatThrownBy(() -> Caller.open(alive, address, 1, SOON)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void refusesWhatCannotBe() {
        try (Node node = KeepAliveChild.open("tcp", null); KeepAlive alive = KeepAlive.open(node)) {
            Address address = node.address();
            assertThatThrownBy(() -> Caller.open(null, address, 1, SOON)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("keep-alive");
            assertThatThrownBy(() -> Caller.open(alive, null, 1, SOON)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("address");
            try (Caller caller = Caller.open(alive, address, 1)) {
                assertThat(caller.peer().address()).isEqualTo(address);
            }
            assertThatThrownBy(() -> Caller.open(alive, address, 1, null)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("options");
            for (int bad : new int[] {-1, 65_536}) {
                assertThatThrownBy(() -> Caller.open(alive, address, bad, SOON))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("65,535");
            }
        }
    }
}
