// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.jfabric.Fabric;
import io.jfabric.async.Group;
import io.jfabric.async.Node;
import io.jfabric.async.Received;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** What {@link FabricTest} gives to a test, what it closes and what it skips. */
class FabricTestTest {
    static final List<AutoCloseable> OPENED = new ArrayList<>();

    static final class Samples {
        @FabricTest(providers = {"shm", "tcp;ofi_rxm"}, capabilities = {Capability.MSG, Capability.RMA})
        void pair(Pair pair, Providers.Choice choice) {
            OPENED.add(pair);
            assertThat(pair.info.provider()).isEqualTo(choice.provider());
            assertThat(pair.info.capabilities().contains(Capability.RMA)).isTrue();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment sent = Bytes.pattern(arena, 100, 1);
                MemorySegment received = arena.allocate(100);
                pair.post(() -> pair.b.endpoint.messages().receive(received, Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(sent, pair.a.peer, 2));
                pair.await(pair.b, 1);
                pair.await(pair.a, 2);
                assertThat(received.mismatch(sent)).isEqualTo(-1);
            }
        }

        @FabricTest(providers = "tcp", type = EndpointType.MSG)
        void connected(Connected connected) {
            OPENED.add(connected);
            assertThat(connected.connect(endpoint -> { })).hasSize(2);
        }

        @FabricTest(providers = "tcp;ofi_rxm", capabilities = Capability.ATOMIC)
        void atomics(NodePair nodes, NodeGroup group, Pair pair) {
            try (Hints usual = Hints.rdm()) {
                assertThat(nodes.a.info().capabilities().toSet()).contains(Capability.ATOMIC)
                        .containsAll(usual.capabilities().toSet());
                assertThat(pair.info.capabilities().toSet()).contains(Capability.ATOMIC)
                        .containsAll(usual.capabilities().toSet());
            }
            CompletableFuture<Received> letter = nodes.b.receive(nodes.b.allocate(8), 7);
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 7).join();
            assertThat(letter.join().length()).isEqualTo(8);
            group.all(Group::barrier);
        }

        @FabricTest(providers = "tcp;ofi_rxm", members = 2)
        void nodes(NodePair pair, NodeGroup group) {
            OPENED.add(pair);
            OPENED.add(group);
            assertThat(pair.a.isOpen() && pair.b.isOpen()).isTrue();
            assertThat(group.nodes).hasSize(2).allMatch(Node::isOpen);
        }

        @FabricTest(providers = "tcp", type = EndpointType.MSG)
        void wrongGroup(NodeGroup group) {
            throw new AssertionError(group);
        }

        @FabricTest(providers = "tcp;ofi_rxm")
        void fails(Providers.Choice choice) {
            throw new AssertionError("a failure");
        }

        @FabricTest(providers = "no-such-provider")
        void nothingFits(Pair pair) {
            throw new AssertionError(pair);
        }

        @FabricTest(providers = {"no-such-provider", "tcp;ofi_rxm"})
        void oneFits(Providers.Choice choice) {
            assertThat(choice).isEqualTo(Providers.RXM);
        }

        @FabricTest(providers = "tcp", type = EndpointType.MSG)
        void wrongKind(Pair pair) {
            throw new AssertionError(pair);
        }
    }

    static final class Prepared {
        @BeforeEach
        void prepare(Pair pair) {
            OPENED.add(pair);
        }

        @FabricTest(providers = "tcp;ofi_rxm")
        void pair(Pair pair) {
            OPENED.add(pair);
        }
    }

    static final class Constructed {
        Constructed(Pair pair) {
            assertThat(OPENED).as("pairs of the tests before").noneMatch(it -> ((Pair) it).fabric.isOpen());
            OPENED.add(pair);
        }

        @FabricTest(providers = {"shm", "tcp;ofi_rxm"})
        void usesIt() {
            assertThat(((Pair) OPENED.getLast()).fabric.isOpen()).isTrue();
        }
    }

    /** As soon as the test is over, not when the class is. */
    @Test
    void closesWhatTheConstructorAskedFor() {
        OPENED.clear();
        run(Constructed.class, "usesIt").assertStatistics(count -> count.succeeded(2));
        assertThat(OPENED).hasSize(2).allSatisfy(pair -> assertThat(((Pair) pair).fabric.isOpen()).isFalse());
    }

    @Test
    void closesWhatWasAskedForBeforeTheTest() {
        OPENED.clear();
        run(Prepared.class, "pair").assertStatistics(count -> count.succeeded(1));
        assertThat(OPENED).hasSize(2).allSatisfy(pair -> assertThat(((Pair) pair).fabric.isOpen()).isFalse());
    }

    @Test
    void opensAndClosesWhatATestAsksFor() {
        OPENED.clear();
        Events tests = run("pair");
        tests.assertStatistics(count -> count.succeeded(2));
        assertThat(OPENED).hasSize(2).allSatisfy(pair -> assertThat(((Pair) pair).fabric.isOpen()).isFalse());
        assertThat(tests.started().stream().map(event -> event.getTestDescriptor().getDisplayName()))
                .containsExactly("shm RDM", "tcp;ofi_rxm RDM");
    }

    @Test
    void connectsWhereThereAreConnections() {
        OPENED.clear();
        run("connected").assertStatistics(count -> count.succeeded(1));
        assertThat(OPENED).hasSize(1).allSatisfy(it -> assertThat(((Connected) it).fabric.isOpen()).isFalse());
    }

    @Test
    void closesNodes() {
        OPENED.clear();
        run("nodes").assertStatistics(count -> count.succeeded(1));
        NodePair pair = (NodePair) OPENED.getFirst();
        assertThat(List.of(pair.a, pair.b)).noneMatch(Node::isOpen);
        assertThat(((NodeGroup) OPENED.getLast()).nodes).hasSize(2).noneMatch(Node::isOpen);
    }

    @Test
    void addsCapabilitiesToTheUsualOnes() {
        run("atomics").assertStatistics(count -> count.succeeded(1));
    }

    @Test
    void skipsWhereNothingFits() {
        Events tests = run("nothingFits");
        tests.assertStatistics(count -> count.started(0).skipped(1));
        assertThat(tests.skipped().stream().findFirst().orElseThrow().getPayload().orElseThrow().toString())
                .contains("no provider of this machine fits").contains("no-such-provider");
    }

    @Test
    void reportsEachThatDoesNotFit() {
        Events tests = run("oneFits");
        tests.assertStatistics(count -> count.succeeded(1).skipped(1));
        assertThat(tests.skipped().stream().findFirst().orElseThrow().getPayload().orElseThrow().toString())
                .startsWith("no-such-provider RDM: no provider of this machine fits");
    }

    @Test
    void skipsTheClassThatCannotBeMadeThen() {
        run(Unmakable.class, "nothingFits").assertStatistics(count -> count.started(1).aborted(1));
    }

    static final class Unmakable {
        private final String provider;

        Unmakable(Providers.Choice choice) {
            provider = choice.provider();
        }

        @FabricTest(providers = "no-such-provider")
        void nothingFits() {
            throw new AssertionError(provider);
        }
    }

    @Test
    void leavesJUnitToTheProject() {
        assertThat(Path.of("pom.xml")).content().containsPattern("junit-jupiter-api</artifactId>\\s+<scope>provided<");
    }

    @Test
    void failsWithAJUnitThatClosesNothing() {
        assertThatThrownBy(() -> Parameters.requireClosing(ClassLoader.getPlatformClassLoader()))
                .hasMessageContaining("needs JUnit 5.13 or newer");
    }

    @Test
    void saysWhatToAskForInstead() {
        assertThat(failure("wrongKind")).contains("a Pair cannot be of type MSG: take a Connected");
        assertThat(failure("wrongGroup")).contains("a NodeGroup cannot be of type MSG: say type = EndpointType.RDM");
    }

    @Test
    void saysWhereATestHasFailed() {
        Throwable failure = run("fails").failed().stream().findFirst().orElseThrow()
                .getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
        assertThat(failure).hasMessage("a failure");
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).hasToString("on tcp;ofi_rxm RDM, libfabric " + Fabric.versionText());
    }

    private static String failure(String name) {
        Events tests = run(name);
        tests.assertStatistics(count -> count.failed(1));
        return tests.failed().stream().findFirst().orElseThrow().getPayload().orElseThrow().toString();
    }

    private static Events run(String name) {
        return run(Samples.class, name);
    }

    private static Events run(Class<?> in, String name) {
        Method method = Arrays.stream(in.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(name)).findFirst().orElseThrow();
        return EngineTestKit.engine("junit-jupiter").selectors(selectMethod(in, method)).execute()
                .testEvents();
    }
}
