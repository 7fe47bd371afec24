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

/** Groups of processes, one of which is killed in the end. */
@Timeout(120)
class GroupProcessesTest {
    private static final int SIZE = 4;
    private static final int DEADLINE_MILLIS = 3_000;
    private static final int LATE_MILLIS = 5_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void processesWorkTogetherUntilOneIsKilled(Providers.Choice choice) {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < SIZE; i++) {
                children.add(ChildJvm.of(GroupChild.class, choice.provider(), "" + SIZE, "" + DEADLINE_MILLIS)
                        .flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC").start());
            }
            Meeting.of(children);
            for (int i = 0; i < SIZE; i++) {
                children.get(i).awaitLine(("RIGHT " + i)::equals);
            }
            children.removeFirst().close();
            for (ChildJvm child : children) {
                String[] failure = child.awaitLine(line -> line.startsWith("FAILED ")).split(" ", 3);
                assertThat(Long.parseLong(failure[1])).isLessThan(DEADLINE_MILLIS + LATE_MILLIS);
                assertThat(failure[2]).contains("allReduce").contains("rank ");
            }
            children.forEach(child -> assertThat(child.await().exitCode()).as(child.output()).isZero());
        } finally {
            children.forEach(ChildJvm::close);
        }
    }
}
