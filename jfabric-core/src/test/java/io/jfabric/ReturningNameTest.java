// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that was closed in order and is started again with its name. */
@Timeout(120)
class ReturningNameTest {
    @Test
    void whoReadsFromItGoesOn() {
        assumeTrue(Providers.SHM.isOffered() && Quirks.of("shm").has(Quirk.RETURNING_NAMES_LOCK), "has no such lock");
        String name = "returning-" + ProcessHandle.current().pid() + '-';
        try (ChildJvm reader = ChildJvm.of(ReturningName.class, name + "reader", name + "unused", "2").start()) {
            reader.awaitLine("ready"::equals);
            for (String text : new String[] {"first", "second"}) {
                ChildJvm.Result result = ChildJvm.of(ReturningName.class, name + "writer", name + "other",
                        text + ' ' + name + "writer", name + "reader").run();
                assertThat(result.exitCode()).as(result.output()).isZero();
                reader.awaitLine(("read " + text + ' ' + name + "writer")::equals);
            }
            assertThat(reader.await().exitCode()).isZero();
        }
    }
}
