// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.info.Capability;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers and services that come and go on nodes and peers that stay. */
@Timeout(120)
class ManyCallersTest {
    /** So many of 4000 bytes are more than a connection of this machine holds. */
    private static final int REQUESTS = 8192;

    static Stream<Providers.Choice> reliable() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static WeakReference<Caller> callOnce(Nodes nodes) throws Exception {
        try (Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(16))) {
            assertThat(caller.call(new byte[] {1, 2}).get(30, TimeUnit.SECONDS)).containsExactly(1, 2);
            return new WeakReference<>(caller);
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("reliable")
    void leaveNothing(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            List<WeakReference<Caller>> gone = new ArrayList<>();
            long before = 0;
            for (int round = 0; round < 8; round++) {
                try (Service service = Service.open(nodes.b, 5, CallHandler.of(request -> request))) {
                    for (int i = 0; i < 3; i++) {
                        gone.add(callOnce(nodes));
                    }
                    // they have said goodbye
                    Waits.until("no callers are left", () -> service.callers() == 0);
                }
                Waits.until("nothing is under way", () -> nodes.a.underWay() == 0 && nodes.b.underWay() == 0);
                if (round == 1) {
                    before = Fabric.openObjects().size();
                } else if (round > 1) {
                    long limit = before;
                    // what the provider still had is freed soon after
                    Waits.until("no more is open than before", () -> Fabric.openObjects().size() <= limit);
                }
            }
            Waits.until("callers are collected", () -> {
                System.gc();
                return gone.stream().filter(caller -> caller.get() != null).count() <= 2;
            });
        }
    }

    /** Whose operations nobody knows, but which have nothing to do with calls. */
    @Test
    void leaveNothingToEndpointsWithRawContexts() throws Exception {
        try (Pair _ = Pair.open(Providers.SHM, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                Endpoint::rawContexts); Nodes nodes = Nodes.open(Providers.SHM)) {
            long before = arenas();
            for (int i = 0; i < 50; i++) {
                Caller.open(nodes.toB, 5).close();
            }
            callOnceOf(nodes);
            KeepAlive.open(nodes.a, Duration.ofMillis(100), 3).close();
            Waits.until("no more arenas than before", () -> arenas() <= before);
        }
    }

    private static void callOnceOf(Nodes nodes) throws Exception {
        try (Service _ = Service.open(nodes.b, 5, CallHandler.of(request -> request))) {
            callOnce(nodes);
        }
    }

    private static long arenas() {
        return Fabric.openObjects().stream().filter(object -> object.kind().equals("FabricArena")).count();
    }

    /** The service does not read, so that requests stay with the provider until it does, after their caller's end. */
    @Test
    void whatTheProviderHasAtTheEndIsFreedWhenItLetsGo() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.RXM, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED),
                NodeOptions.DEFAULT.withCallerProgress());
                Service service = Service.open(nodes.b, 5, CallHandler.of(request -> new byte[1]),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT))) {
            Runnable progress = () -> {
                nodes.a.progress();
                nodes.b.progress();
            };
            int before = Fabric.openObjects().size();
            try (Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(REQUESTS))) {
                CompletableFuture<byte[]> first = caller.call(new byte[1]);
                Waits.until("the first is done", () -> {
                    progress.run();
                    return first.isDone();
                });
                for (int i = 0; i < REQUESTS; i++) {
                    caller.call(new byte[4000]);
                    nodes.a.progress();
                }
                assertThat(nodes.a.waiting()).as("what the provider had no room for").isPositive();
            }
            assertThat(Fabric.openObjects().size()).as("with the memory of what it has").isGreaterThan(before);
            Waits.until("no more is open than before", () -> {
                progress.run();
                return Fabric.openObjects().size() <= before;
            });
            assertThat(service.invalid()).as("requests that came damaged").isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("reliable")
    void whoIsGoneMakesRoom(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, CallHandler.of(request -> request),
                        ServiceOptions.DEFAULT.withCallers(1));
                Caller caller = Caller.open(nodes.toB, 5)) {
            caller.call(new byte[1]).get(30, TimeUnit.SECONDS);
            assertThat(service.callers()).isOne();
            // as keep-alive does with who is dead
            nodes.toA.close();
            Waits.until("no callers are left", () -> service.callers() == 0);
        }
    }
}
