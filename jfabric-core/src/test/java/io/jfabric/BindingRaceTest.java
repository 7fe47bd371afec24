// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads bind to one endpoint, or one binds while the other enables it: what is refused is refused to one. */
@Timeout(60)
class BindingRaceTest {
    private static final int ROUNDS = 300;

    private final CyclicBarrier barrier = new CyclicBarrier(2);

    @Test
    void oneQueueForADirection() throws Exception {
        race(domain -> domain.openCompletionQueue(CompletionFormat.TAGGED),
                (endpoint, queue) -> endpoint.bind((CompletionQueue) queue, TRANSMIT, RECV));
    }

    @Test
    void oneCounterForAFlag() throws Exception {
        race(Domain::openCounter, (endpoint, counter) -> endpoint.bind((Counter) counter, RECV));
    }

    /** What is bound too late is refused, and stays free; enabling never fails. */
    @Test
    @Tag("long")
    void aCounterBesideEnabling() throws Exception {
        Assumptions.assumeTrue(Providers.RXM.isOffered());
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first());
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
             Counter spare = domain.openCounter(); AddressVector addresses = domain.openAddressVector()) {
            for (int i = 0; i < ROUNDS; i++) {
                try (Counter counter = domain.openCounter();
                     Endpoint endpoint = domain.openEndpoint(infos.first()).bind(queue, TRANSMIT, RECV)
                             .bind(addresses)) {
                    AtomicReference<Throwable> refusal = new AtomicReference<>();
                    int enabling = together(endpoint::enable, () -> {
                        try {
                            endpoint.bind(counter, RECV);
                        } catch (IllegalStateException late) {
                            refusal.set(late);
                        }
                    });
                    assertThat(enabling).as("refused").isZero();
                    assertThatThrownBy(() -> endpoint.bind(spare, TRANSMIT))
                            .isInstanceOf(IllegalStateException.class).hasMessageContaining("is enabled already");
                    if (refusal.get() == null) {
                        assertThatThrownBy(counter::close).isInstanceOf(FabricException.class)
                                .hasMessageContaining("EBUSY");
                    } else {
                        assertThat(refusal.get()).hasMessageContaining("is enabled already");
                        assertThatCode(counter::close).doesNotThrowAnyException();
                    }
                }
            }
        }
    }

    /** Two threads do the same, with objects of their own. */
    private void race(Function<Domain, FabricObject> opener, BiConsumer<Endpoint, FabricObject> binding)
            throws Exception {
        rounds(opener, (endpoint, objects) -> {
            int refused = together(() -> binding.accept(endpoint, objects.get(0)),
                    () -> binding.accept(endpoint, objects.get(1)));
            assertThat(refused).isEqualTo(1);
        });
    }

    private interface Round {
        void run(Endpoint endpoint, List<FabricObject> objects) throws Exception;
    }

    private void rounds(Function<Domain, FabricObject> opener, Round round) throws Exception {
        Assumptions.assumeTrue(Providers.RXM.isOffered());
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            List<FabricObject> objects = List.of(opener.apply(domain), opener.apply(domain));
            for (int i = 0; i < ROUNDS; i++) {
                try (Endpoint endpoint = domain.openEndpoint(infos.first())) {
                    round.run(endpoint, objects);
                }
            }
        }
    }

    /** How many were refused. */
    private int together(Runnable one, Runnable other) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Throwable> refusals = new ArrayList<>();
        Consumer<Runnable> attempt = action -> {
            try {
                barrier.await();
                action.run();
            } catch (IllegalStateException e) {
                synchronized (refusals) {
                    refusals.add(e);
                }
            } catch (Exception e) {
                failure.set(e);
            }
        };
        Thread second = Thread.ofPlatform().daemon().start(() -> attempt.accept(other));
        attempt.accept(one);
        assertThat(second.join(Pair.DEADLINE)).isTrue();
        assertThat(failure.get()).isNull();
        return refusals.size();
    }
}
