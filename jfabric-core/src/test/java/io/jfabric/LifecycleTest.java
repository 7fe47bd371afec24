// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Opening and closing: order, ownership, what is busy, what is forgotten. */
class LifecycleTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aParentClosesItsChildrenInOrder(Providers.Choice choice) {
        List<FabricObject> all;
        try (Pair pair = Pair.open(choice)) {
            pair.domain.register(Arena.ofAuto().allocate(64), MemoryAccess.SEND, MemoryAccess.READ);
            pair.fabric.openEventQueue();
            all = List.of(pair.a.endpoint, pair.a.queue, pair.a.addresses, pair.domain, pair.fabric);
            assertThat(all).allMatch(FabricObject::isOpen);
        }
        assertThat(all).noneMatch(FabricObject::isOpen);
        all.forEach(FabricObject::close);
        assertThat(all).allMatch(object -> object.toString().endsWith("(closed)"));
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void whatIsBusyStaysOpenAndCanBeClosedLater(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(pair.a.queue::close).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_close(completion queue)").hasMessageContaining("FI_EBUSY")
                    .hasMessageContaining("close what uses it first");
            assertThat(pair.a.queue.isOpen()).isTrue();
            assertThat(pair.a.poll()).as("still works").isZero();
            pair.a.endpoint.close();
            pair.a.queue.close();
            assertThat(pair.a.queue.isOpen()).isFalse();
            pair.a.addresses.close();
            pair.domain.close();
            assertThat(pair.b.endpoint.isOpen()).as("closed with its domain").isFalse();
            assertThat(pair.fabric.isOpen()).isTrue();
        }
    }

    @Test
    void anEndpointCanBeOpenedAgainAndAgain() {
        for (int i = 0; i < 20; i++) {
            try (Pair pair = Pair.open(Providers.SHM)) {
                assertThat(pair.a.endpoint.isOpen()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void threadsOpenUseAndCloseTheirOwnAtTheSameTime(Providers.Choice choice) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = IntStream.range(0, 4).<Future<?>>mapToObj(thread -> threads.submit(() -> {
                for (int i = 0; i < 10; i++) {
                    try (Pair pair = Pair.open(choice)) {
                        pair.connect();
                    }
                }
            })).toList();
            for (Future<?> each : all) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
    }

    /** Forgets to close things, then waits for the collector to notice. */
    static final class Forgets {
        private Forgets() {
        }

        public static void main(String[] args) throws Exception {
            forget();
            for (int i = 0; i < 50; i++) {
                System.gc();
                Thread.sleep(20);
            }
            System.out.println("done");
        }

        private static void forget() {
            Hints.create();
            FabricInfoList infos = Fabric.getInfo(null);
            Fabric.open(infos.first()).openDomain(infos.first());
            infos.first().duplicate();
            Hints.create().close();
        }
    }

    @Test
    @Tag("long")
    void leaksAreReportedWithWhereTheyWereOpened() {
        ChildJvm.Result result = ChildJvm.of(Forgets.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().split("a Fabric was never closed", -1)).hasSize(2);
        for (String freed : List.of("Hints", "FabricInfoList", "FabricInfo", "Domain")) {
            assertThat(result.output()).doesNotContain("a " + freed + " was never closed");
        }
        assertThat(result.output()).contains("opened here").contains("LifecycleTest$Forgets.forget(");
    }
}
