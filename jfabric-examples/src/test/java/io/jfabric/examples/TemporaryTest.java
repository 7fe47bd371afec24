// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Examples leave no files behind, also when they are told to end. */
class TemporaryTest {
    private static List<String> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void nothingIsLeftByAProgramThatIsEnded(@TempDir Path folder) throws InterruptedException {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        // its processes, which make the files, too
        Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder);
        try (Program program = Program.java(environment, AllToAllFiles.class, "tcp", "3")) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (files(folder).stream().noneMatch(name -> name.startsWith("jfabric-all-to-all"))) {
                assertThat(System.nanoTime()).isLessThan(end);
                Thread.sleep(5);
            }
            ProcessHandle.of(program.pid()).ifPresent(ProcessHandle::destroy);
            program.await();
            // they see that the first process is gone, one after the other
            end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!files(folder).isEmpty() && System.nanoTime() < end) {
                Thread.sleep(50);
            }
            assertThat(files(folder)).isEmpty();
        }
    }
}
