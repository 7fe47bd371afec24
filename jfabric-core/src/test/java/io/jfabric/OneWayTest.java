// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Endpoints that only send or only receive work with a queue for that, or are refused with what is missing. */
@Timeout(120)
class OneWayTest {
    /** Longer than what any provider copies at once. */
    private static final int LONG = 100_000;

    static Stream<Arguments> cases() {
        return Providers.connectionless().flatMap(choice -> Stream.of(Capability.TAGGED, Capability.MSG)
                .flatMap(family -> Stream.of(Capability.SEND, Capability.RECV)
                        .filter(lone -> choice.isOffered(hints -> hints.capabilities(family, lone)))
                        .flatMap(lone -> IntStream.of(8, LONG)
                                .filter(length -> length < LONG || choice.type() != EndpointType.DGRAM)
                                .mapToObj(length -> Arguments.of(choice, family, lone, length)))));
    }

    /** Who cannot do without the other queue; whoever else does not carry the message is wrong. */
    private static boolean refuses(Providers.Choice choice, Capability lone) {
        Quirks quirks = Quirks.of(choice.provider());
        // ofi_rxm and tcp say themselves that a queue is missing
        boolean needsReceives = quirks.has(Quirk.NEEDS_RECEIVE_QUEUE) || choice.provider().endsWith("ofi_rxm");
        boolean needsBoth = quirks.has(Quirk.NEEDS_BOTH_QUEUES) || choice.equals(Providers.TCP_RDM);
        return needsBoth || lone == Capability.SEND && needsReceives;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aMessageArrives(Providers.Choice choice, Capability family, Capability lone, int length) {
        ChildJvm.Result result = SharedJvm.run(OneWay.class, choice.provider(), choice.type().name(),
                family.name(), Integer.toString(length), lone.name());
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains(refuses(choice, lone) ? OneWay.REFUSED : OneWay.ARRIVED);
    }
}
