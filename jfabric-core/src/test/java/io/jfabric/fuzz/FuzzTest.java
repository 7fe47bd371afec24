// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short run on all providers, always with the same seed; scripts/fuzz makes long ones. */
class FuzzTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(90)
    void noCallCrashesTheJvm() throws Exception {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        String found = Fuzz.run(Options.parse("--seed", "4711", "--calls", "16000", "--seconds", "60", "--peers", "0",
                "--hang", "10", "--out", directory.toString()));
        assertThat(found).isEmpty();
    }

    @Test
    void everythingPublicIsATarget() {
        Api api = new Api(Fabric.class);
        assertThat(api.targets).extracting(Target::name).contains("Fabric.open(FabricInfo)")
                .noneMatch(name -> name.startsWith("Object."));
        assertThat(api.excluded.size()).as("escape hatches: " + api.excluded).isLessThan(12);
    }
}
