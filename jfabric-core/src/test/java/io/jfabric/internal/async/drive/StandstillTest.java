// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said about a thread that stands still: {@link io.jfabric.async.HeldUpTest} has one that does. */
@Timeout(30)
class StandstillTest {
    private static final String BUSY = "is the machine too busy";

    @Test
    void theProgramIsBlamedOnlyForItsOwnCode() {
        Providers.RXM.assumeOffered();
        assertThat(Standstill.advice(Thread.currentThread().getStackTrace())).contains("must not block")
                .doesNotContain(BUSY);
        try (Hints hints = Hints.rdm().provider("tcp"); Node node = Node.open(hints)) {
            String address = node.address().toString();
            Thread engine = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().contains(address)).findFirst().orElseThrow();
            assertThat(Standstill.advice(engine.getStackTrace())).contains(BUSY).doesNotContain("must not block");
        }
    }
}
