// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A text for which there is no memory leaves the old one in its place. */
class FailedCopyTest {
    static boolean canLimit() {
        return Files.isExecutable(Path.of("/usr/bin/prlimit"));
    }

    @Test
    @EnabledIf("canLimit")
    void theOldTextStays() {
        ChildJvm.Result result = ChildJvm.of(FailedCopy.class).flags("-Xmx640m").run();
        assertThat(result.output()).contains("LIMITED 0", "\nFAILED", "NAME the old name", "END");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
