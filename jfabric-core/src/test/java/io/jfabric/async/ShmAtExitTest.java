// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Hints;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of shm that are opened while the JVM ends: nothing would remove their names. */
@Timeout(90)
class ShmAtExitTest {
    private static final Path SHM = Path.of("/dev/shm");

    @ParameterizedTest
    @ValueSource(strings = {"unused", "used"})
    void isRefused(String before) throws IOException {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        try (ChildJvm child = ChildJvm.of(Main.class, before).start()) {
            ChildJvm.Result result = child.await();
            List<Path> left;
            try (Stream<Path> files = Files.list(SHM)) {
                left = files.filter(file -> file.getFileName().toString().startsWith(child.pid() + ":")).toList();
            }
            for (Path file : left) {
                Files.delete(file);
            }
            assertThat(left).isEmpty();
            String refusal = " java.lang.IllegalStateException: fi_enable: the JVM is ending";
            assertThat(result.output()).contains("first" + refusal, "second" + refusal);
        }
    }

    /** What the child does. */
    static final class Main {
        private Main() {
        }

        public static void main(String[] args) {
            if (args[0].equals("used")) {
                open().close();
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                for (String time : List.of("first", "second")) {
                    try {
                        System.out.println(time + " " + open());
                    } catch (Throwable e) {
                        System.out.println(time + " " + e);
                    }
                }
            }));
        }

        private static Node open() {
            try (Hints hints = Hints.rdm().provider("shm")) {
                return Node.open(hints);
            }
        }
    }
}
