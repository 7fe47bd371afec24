// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Meeting;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Five processes, the last of which is killed, and another one while those who are left agree to go on without it. */
@Timeout(180)
@Tag("long")
class SurvivorsTest {
    private static final int SIZE = 5;
    private static final long INTERVAL_MILLIS = 2_000;
    /** Together less than a node's deadline. */
    private static final long LATE_MILLIS = 10_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void threeGoOnWithoutTheOthers(Providers.Choice choice) {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < SIZE; i++) {
                children.add(ChildJvm.of(SurvivorsChild.class, choice.provider(), "" + SIZE, "" + INTERVAL_MILLIS)
                        .flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC").start());
            }
            Meeting.of(children);
            for (int i = 0; i < SIZE; i++) {
                children.get(i).awaitLine(("BEGUN " + i)::equals);
            }
            children.removeLast().close();
            long killed = System.nanoTime();
            for (ChildJvm child : children) {
                assertThat(child.awaitLine(line -> line.startsWith("FAILED "))).contains("allReduce")
                        .contains("rank 4");
                assertThat((System.nanoTime() - killed) / 1_000_000).isLessThan(2 * INTERVAL_MILLIS + LATE_MILLIS);
            }
            children.removeLast().close();
            for (int i = 0; i < SIZE - 2; i++) {
                children.get(i).awaitLine(("RIGHT " + i + " of 3")::equals);
            }
            children.forEach(child -> child.tell("end"));
            children.forEach(child -> assertThat(child.await().exitCode()).as(child.output()).isZero());
        } finally {
            children.forEach(ChildJvm::close);
        }
    }
}
