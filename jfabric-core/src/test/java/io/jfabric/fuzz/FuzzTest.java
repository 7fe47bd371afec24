// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
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
        assertThat(run("--calls", "5000", "--seconds", "20", "--provider", "shm", "--provider", "tcp",
                "--provider", "tcp;ofi_rxm", "--provider", "udp", "--provider", "udp;ofi_rxd")).isEmpty();
    }

    /** MSG is left to scripts/fuzz: the provider's connection thread still crashes (sock_ep_cm_shutdown_report). */
    @Test
    @Tag("long")
    @Timeout(60)
    void noCallCrashesSocketsWithoutConnections() throws Exception {
        assertThat(run("--calls", "4000", "--seconds", "15", "--provider", "sockets", "--type", "RDM", "--type",
                "DGRAM")).isEmpty();
    }

    private String run(String... more) throws Exception {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        List<String> arguments = new ArrayList<>(List.of("--seed", "4711", "--peers", "0", "--hang", "10", "--out",
                directory.toString()));
        arguments.addAll(List.of(more));
        String found = Fuzz.run(Options.parse(arguments.toArray(String[]::new)));
        return found.isEmpty() ? found : found + reports();
    }

    /** Of what died or hung, with the stacks of its threads: the directory does not stay. */
    private String reports() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            StringBuilder all = new StringBuilder();
            for (Path report : files.filter(file -> file.endsWith("report.txt")).toList()) {
                all.append("\n\n").append(Files.readString(report));
            }
            return all.toString();
        }
    }

    @Test
    void everythingPublicIsATarget() {
        Api api = new Api(List.of(Fabric.class));
        assertThat(api.targets).extracting(Target::name).contains("Fabric.open(FabricInfo)")
                .noneMatch(name -> name.startsWith("Object."));
        assertThat(api.excluded.size()).as("escape hatches: " + api.excluded).isLessThan(12);
    }
}
