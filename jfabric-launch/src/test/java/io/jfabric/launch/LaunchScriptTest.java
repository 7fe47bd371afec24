// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** scripts/launch itself, in a repository where all is built: that of the tests is not packaged yet. */
@Timeout(60)
class LaunchScriptTest {
    @TempDir
    private Path root;

    @BeforeEach
    void copy() throws IOException {
        Path here = Path.of("..").toRealPath();
        Files.createDirectories(root.resolve("scripts/lib"));
        for (String script : new String[] {"launch", "lib/common.sh"}) {
            Files.copy(here.resolve("scripts").resolve(script), root.resolve("scripts").resolve(script));
        }
        for (String module : new String[] {"jfabric-bindings", "jfabric-core", "jfabric-launch"}) {
            Files.createDirectories(root.resolve(module).resolve("target"));
            Files.createSymbolicLink(root.resolve(module).resolve("target/classes"),
                    here.resolve(module).resolve("target/classes"));
        }
        Path lib = Files.createDirectories(root.resolve("jfabric-launch/target/lib"));
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(part);
            if (jar.getFileName().toString().startsWith("slf4j-api")) {
                Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar.toAbsolutePath());
            }
        }
        Files.createFile(root.resolve("jfabric-launch/target/.built"));
    }

    /** The command line is a file, and the output is bytes: this JVM's locale may be any. */
    private String launch(String environment, String rest) throws Exception {
        Path script = Files.writeString(root.resolve("run"), "exec env -i PATH=\"$PATH\" HOME=\"$HOME\" JAVA_HOME='"
                + System.getProperty("java.home") + "' " + environment + " '" + root + "/scripts/launch' " + rest);
        Path out = root.resolve("out");
        Process process = new ProcessBuilder("sh", script.toString()).redirectOutput(out.toFile())
                .redirectError(root.resolve("err").toFile()).start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(root.resolve("err"))).isZero();
            return Files.readString(out, StandardCharsets.ISO_8859_1);
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Test
    void textPassesInAnyLocale() throws Exception {
        String program = "-n 1 sh -c 'printf \"%s in %s\\n\" \"$1\" \"${LC_ALL-none}\"' sh 'gr\u00f6\u00dfer \u20ac'";
        assertThat(launch("", program)).isEqualTo(bytes("[0] gr\u00f6\u00dfer \u20ac in none\n"));
        assertThat(launch("LC_ALL=C", program)).isEqualTo(bytes("[0] gr\u00f6\u00dfer \u20ac in C\n"));
    }

    @Test
    void endsWithWhoReadsWhatItPrints() throws Exception {
        Path script = Files.writeString(root.resolve("run"), "exec env -i PATH=\"$PATH\" HOME=\"$HOME\" JAVA_HOME='"
                + System.getProperty("java.home") + "' '" + root + "/scripts/launch' -n 1 yes");
        Process process = new ProcessBuilder("sh", script.toString()).redirectError(root.resolve("err").toFile())
                .start();
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("[0] y");
            process.getInputStream().close();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void bytesThatAreNoTextPass() throws Exception {
        assertThat(launch("", "-n 1 printf '\\344\\r\\nb\\rc'")).isEqualTo("[0] \u00e4\r\n[0] b\rc\n");
    }
}
