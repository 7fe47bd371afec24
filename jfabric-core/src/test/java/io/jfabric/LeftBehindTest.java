// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues and counters outlive endpoints that were bound to them: enabled, refused for what they lacked, or neither. */
@Timeout(60)
class LeftBehindTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    /** What is bound before the endpoint is enabled and closed. */
    private enum Bound {
        ALL, NO_VECTOR, TRANSMIT_ONLY, RECV_ONLY, COUNTER_ONLY, NOTHING
    }

    static Stream<Arguments> cases() {
        return Providers.connectionless().flatMap(choice -> Stream.of(Bound.values()).flatMap(bound ->
                Stream.of(WaitObject.NONE, WaitObject.UNSPEC).map(wait -> Arguments.of(choice, bound, wait))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theyAreStillRead(Providers.Choice choice, Bound bound, WaitObject wait) {
        for (List<Capability> wish : List.of(List.of(Capability.MSG), List.of(Capability.MSG, Capability.SEND),
                List.of(Capability.TAGGED, Capability.ATOMIC, Capability.SEND, Capability.REMOTE_READ))) {
            Consumer<Hints> hints = h -> h.capabilities(wish.toArray(Capability[]::new));
            if (!choice.isOffered(hints)) {
                continue;
            }
            try (FabricInfoList infos = choice.find(hints); Fabric fabric = Fabric.open(infos.first());
                    Domain domain = fabric.openDomain(infos.first())) {
                CompletionQueue queue = domain.openCompletionQueue(
                        CompletionQueueAttributes.of(CompletionFormat.TAGGED).withWaitObject(wait));
                Optional<Counter> counter = counter(domain);
                Endpoint endpoint = domain.openEndpoint(infos.first());
                bind(endpoint, bound, domain, queue, counter);
                attempt(endpoint::enable);
                read(queue, counter);
                endpoint.close();
                read(queue, counter);
                assertThat(queue.isOpen()).isTrue();
            }
        }
    }

    /** Not all providers have them. */
    private static Optional<Counter> counter(Domain domain) {
        try {
            return Optional.of(domain.openCounter());
        } catch (FabricException none) {
            return Optional.empty();
        }
    }

    private static void bind(Endpoint endpoint, Bound bound, Domain domain, CompletionQueue queue,
            Optional<Counter> counter) {
        if (bound != Bound.NO_VECTOR && bound != Bound.NOTHING) {
            endpoint.bind(domain.openAddressVector());
        }
        switch (bound) {
            case ALL, NO_VECTOR -> endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV);
            case TRANSMIT_ONLY -> endpoint.bind(queue, BindFlag.TRANSMIT);
            case RECV_ONLY -> endpoint.bind(queue, BindFlag.RECV);
            default -> { }
        }
        if (bound != Bound.NOTHING) {
            counter.ifPresent(one -> attempt(() -> endpoint.bind(one, BindFlag.TRANSMIT, BindFlag.RECV)));
        }
    }

    /** As long as the queue and the counter can be used, they are, whatever has become of the endpoint. */
    private static void read(CompletionQueue queue, Optional<Counter> counter) {
        attempt(() -> queue.poll(completion -> { }, 8));
        attempt(() -> queue.await(completion -> { }, 8, SHORT));
        counter.ifPresent(one -> {
            attempt(() -> assertThat(one.read()).isZero());
            attempt(one::readErrors);
            attempt(() -> one.await(1, SHORT));
        });
    }

    /** Refusals are as good as success: what counts is that the process goes on. */
    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (FabricException | IllegalStateException | IllegalArgumentException
                | UnsupportedOperationException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        }
    }
}
