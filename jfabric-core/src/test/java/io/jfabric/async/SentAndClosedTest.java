// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.quirk.Fault;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node that is closed while it sends loses nothing silently: what it said was sent arrives, all else has failed. */
@Timeout(120)
class SentAndClosedTest {
    private static final int MESSAGES = 300;

    static Stream<Providers.Choice> reliable() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("reliable")
    void whatWasSentArrivesAllElseFails(Providers.Choice choice) throws Exception {
        assumeFalse(Fault.LOSES_WHAT_WAS_SENT.isOf(choice.provider()),
                "tcp;ofi_rxm since 1.19 loses what it has reported as sent");
        for (int round = 0; round < 4; round++) {
            try (Nodes nodes = Nodes.open(choice)) {
                List<CompletableFuture<?>> sent = new ArrayList<>();
                List<CompletableFuture<Received>> received = new ArrayList<>();
                List<MemorySegment> rooms = new ArrayList<>();
                for (int i = 0; i < MESSAGES; i++) {
                    long size = i % 10 == 9 ? 100_000 : 8 + i;
                    rooms.add(nodes.b.allocate(size));
                    received.add(nodes.b.receive(rooms.get(i), i));
                }
                for (int i = 0; i < MESSAGES; i++) {
                    MemorySegment out = nodes.a.allocate(rooms.get(i).byteSize());
                    out.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, i + 1);
                    sent.add(nodes.a.send(out, nodes.toB, i));
                }
                if (round > 0) {
                    sent.get(round * 50).get(30, TimeUnit.SECONDS);
                }
                nodes.a.close();
                int arrived = 0;
                for (int i = 0; i < MESSAGES; i++) {
                    assertThat(sent.get(i)).isDone();
                    if (sent.get(i).isCompletedExceptionally()) {
                        assertThat(((FabricException) sent.get(i).exceptionNow()).error())
                                .isEqualTo(FabricError.ECANCELED);
                    } else {
                        received.get(i).get(30, TimeUnit.SECONDS);
                        assertThat(rooms.get(i).get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(i + 1);
                        arrived++;
                    }
                }
                assertThat(arrived).isGreaterThanOrEqualTo(round == 0 ? 0 : 1);
            }
        }
    }
}
