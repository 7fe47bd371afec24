// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Leftovers;
import io.jfabric.testkit.Providers;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process of shm with the name of one that ended in order is the first to write to a process that knew that one. */
@Timeout(90)
class SuccessorTest {
    private static final String NAME = "successor-" + ProcessHandle.current().pid();
    private static final String KNOWING = "knows-" + NAME;
    private static final int TIMES = 2;
    private static final int PAUSE_MILLIS = 300;

    @BeforeAll
    static void names() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(!Quirks.of("shm").has(Quirk.RETURNS_TO_NAMES), "this release cannot");
    }

    @AfterEach
    void removeFiles() throws Exception {
        Leftovers.removeFiles(NAME);
        Leftovers.removeFiles(KNOWING);
    }

    @Test
    void ofOneThatClosedItsNode() throws Exception {
        isHeard(child -> child.tell("end"));
    }

    @Test
    void ofOneThatWasTerminated() throws Exception {
        isHeard(ChildJvm::terminate);
    }

    @Test
    void ofOneThatClosedItsNodeInAnInterruptedThread() throws Exception {
        isHeard(child -> child.tell("interrupted"));
    }

    private static void isHeard(Consumer<ChildJvm> end) throws Exception {
        try (ChildJvm knowing = ChildJvm.of(Successor.class, KNOWING, NAME).start()) {
            String its = ChildAddress.text(knowing);
            for (int i = 0; i < TIMES; i++) {
                try (ChildJvm named = ChildJvm.of(Successor.class, NAME, KNOWING).start()) {
                    String address = ChildAddress.text(named);
                    named.tell("send " + its + " hello" + i);
                    if (i == 0) {
                        knowing.awaitLine("got hello0"::equals);
                    }
                    // it is asked to map the new one, and only then looks for another by itself
                    Thread.sleep(PAUSE_MILLIS);
                    knowing.tell("send " + address + " answer" + i);
                    named.awaitLine(("got answer" + i)::equals);
                    if (i > 0) {
                        knowing.awaitLine(("got hello" + i)::equals);
                    }
                    end.accept(named);
                    named.await();
                }
            }
            knowing.tell("end");
            assertThat(knowing.awaitLine(line -> line.startsWith("keeps "))).isEqualTo("keeps 0");
            assertThat(knowing.await().exitCode()).isZero();
        }
    }
}
