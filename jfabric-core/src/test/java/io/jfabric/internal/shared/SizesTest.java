// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes that overflow in a provider, or that no machine has memory for. */
class SizesTest {
    private static final long[] ABSURD = {1L << 24 | 1, 1L << 34, 1L << 58, 1L << 59, Long.MAX_VALUE};
    private static final CompletionQueueAttributes QUEUE = CompletionQueueAttributes.of(CompletionFormat.TAGGED);

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void absurdOnesAreRefused(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            for (long size : ABSURD) {
                refused("fi_cq_open: size " + size, () -> domain.openCompletionQueue(QUEUE.withSize(size)));
                refused("fi_eq_open: size " + size,
                        () -> fabric.openEventQueue(EventQueueAttributes.DEFAULT.withSize(size)));
                refused("fi_av_open: count " + size,
                        () -> domain.openAddressVector(AddressVectorAttributes.DEFAULT.withCount(size)));
                refused("fi_av_open: endpointsPerNode " + size,
                        () -> domain.openAddressVector(AddressVectorAttributes.DEFAULT.withEndpointsPerNode(size)));
            }
        }
    }

    private static void refused(String what, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(what)
                .hasMessageContaining("the most that jfabric opens").hasMessageContaining("take 0");
    }

    /** {@code SIZE_MAX} is what psm3 says of its own, and programs size their queues by that. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void noLimitIsTheDefault(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             CompletionQueue queue = domain.openCompletionQueue(QUEUE.withSize(-1));
             EventQueue events = fabric.openEventQueue(EventQueueAttributes.DEFAULT.withSize(-1))) {
            assertThat(queue.poll(completion -> { }, 1)).isZero();
            assertThat(events.poll()).isEmpty();
        }
    }

    @Test
    void providersGetWhatTheyNeed() {
        try (FabricInfoList infos = Providers.UDP.find(hints -> { })) {
            long four = 4 * (infos.first().tx().size() + infos.first().rx().size());
            Quirks udp = Quirks.of("udp");
            boolean overflows = udp.has(Quirk.QUEUES_OVERFLOW);
            assertThat(Sizes.completions("", 5, infos.first(), udp)).isEqualTo(overflows ? four : 5);
            assertThat(Sizes.completions("", four + 9, infos.first(), udp)).isEqualTo(four + 9);
            Quirks sockets = Quirks.of("sockets");
            assertThat(Sizes.completions("", 0, infos.first(), sockets)).isEqualTo(65_536);
            assertThat(Sizes.completions("", 65_536, infos.first(), sockets)).isEqualTo(65_536);
            assertThat(Sizes.completions("", 65_537, infos.first(), sockets)).isEqualTo(65_537);
            assertThat(Sizes.whole(65_536, 24, sockets)).isEqualTo(87_381);
            assertThat(Sizes.whole(87_381, 24, sockets)).isEqualTo(87_381);
            assertThat(Sizes.whole(87_382, 24, sockets)).isEqualTo(174_762);
            assertThat(Sizes.whole(65_536, 8, sockets)).isEqualTo(65_536);
            assertThat(Sizes.whole(5, 24, Quirks.of("shm"))).isEqualTo(5);
            assertThat(Sizes.completions("", 5, infos.first(), Quirks.of("shm"))).isEqualTo(5);
        }
    }
}
