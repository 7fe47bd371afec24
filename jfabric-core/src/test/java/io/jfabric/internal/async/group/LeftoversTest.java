// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.SegmentAllocator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is still sent to groups that have failed is received in a few places, and fails nobody. */
@Timeout(60)
class LeftoversTest {
    private NodeImpl node;
    private Lane lane;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private void open(Providers.Choice choice, NodeOptions options) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            node = (NodeImpl) Node.open(infos.first(), options);
        }
        lane = node.drive().flow().manyReceivesLane();
    }

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
    }

    private Leftovers leftovers(SegmentAllocator memory) {
        return new Leftovers(node, new GroupMemory(memory), lane);
    }

    private int received() {
        return lane.underWay() + lane.waiting();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void withoutMemoryTheyStay(Providers.Choice choice) {
        open(choice, NodeOptions.DEFAULT);
        Leftovers leftovers = leftovers((size, alignment) -> {
            throw new OutOfMemoryError("expected");
        });
        assertThatCode(() -> {
            leftovers.receiveAll(0x100, 0xFF);
            leftovers.receiveOne(1);
        }).doesNotThrowAnyException();
        assertThat(received()).isZero();
    }

    /** Some, if groups have any left then. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "7, 1", "16, 2"})
    void theyTakeFewPlaces(int places, int most) {
        open(Providers.RXM, NodeOptions.DEFAULT.withReceiveLimit(places));
        Leftovers leftovers = leftovers(node.memory());
        for (int i = 1; i <= 5; i++) {
            leftovers.receiveAll(i << 8, 0xFF);
        }
        Waits.until("the newest only", () -> {
            node.progress();
            return received() == most;
        });
    }

    /** The receive for all would be one too many of a single message's. */
    @ParameterizedTest
    @MethodSource("providers")
    void oneMessageIsReceivedAloneOnlyWhereNotAllAre(Providers.Choice choice) {
        open(choice, NodeOptions.DEFAULT);
        Leftovers leftovers = leftovers(node.memory());
        leftovers.receiveAll(0x100, 0xFF);
        leftovers.receiveOne(0x101);
        assertThat(received()).isOne();
        boolean alone = Quirks.of(node.info().provider()).has(Quirk.EARLY_TAGS_BY_OTHER_MASKS);
        leftovers.receiveOne(0x102);
        assertThat(received()).isEqualTo(alone ? 2 : 1);
    }
}
