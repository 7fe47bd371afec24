// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import io.jfabric.testing.Shell;
import io.jfabric.testing.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who asks a script for help gets it, from any directory, and nothing is built, installed or started for it; nor for
 * who gives it wrong arguments.
 */
class ScriptsTest {
    /** Those whose program has the help, which may have to be built first. */
    private static final Set<String> HELP_OF_PROGRAMS = Set.of("bench-peers", "doctor", "fi-info", "fi-pingpong",
            "launch", "load", "soak");

    /** Of which the program refuses what is wrong: two do as C's do, and the arguments of one are another program's. */
    private static final Set<String> REFUSED_BY_PROGRAMS = Set.of("fi-info", "fi-pingpong", "launch");

    @TempDir
    Path dir;

    private static Stream<Path> all() throws IOException {
        return Files.list(Docs.ROOT.resolve("scripts")).filter(Files::isRegularFile).sorted();
    }

    static Stream<Path> scripts() throws IOException {
        return all().filter(file -> !HELP_OF_PROGRAMS.contains(file.getFileName().toString()));
    }

    static Stream<Path> refusing() throws IOException {
        return all().filter(file -> !REFUSED_BY_PROGRAMS.contains(file.getFileName().toString()));
    }

    /** Also where nothing of this machine comes by. */
    @ParameterizedTest
    @MethodSource("all")
    void parses(Path script) throws Exception {
        Result result = Shell.run(dir, Map.of(), "bash", "-n", script.toString());
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("refusing")
    void refusesWhatItDoesNotKnow(Path script) throws Exception {
        isRefused("--no-such-argument", script.getFileName() + " --no-such-argument");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --rounds | bench-collectives --rounds x
            --sizes | bench-collectives --sizes 8,many
            port | bench-jmh --peer host port
            --ranks | bench-join --ranks 0
            SECONDS | bench-no-gc 1x
            other | bench-no-gc 60 shm other
            --runs | bench-sort --runs -1
            --pairs | bench-vs-c --pairs x
            second.jar | bundle-native first.jar second.jar
            /no/such/place | check-layouts /no/such/place
            NoSuchExample | example NoSuchExample
            --calls | fuzz --calls x
            --jvm | fuzz --jvm
            other | fuzz other
            INCLUDE_DIR | generate-bindings
            PID | jfabric-top x
            jfr print | jfabric-top run.jfr
            SECONDS | jfabric-top 1 x
            --count | load threads shm --count x
            --seconds | load overload shm --seconds 0
            SECONDS | soak 12
            20 | soak --provider shm 15 20
            --library | test --library
            /no/such/library | test-bundle --library /no/such/library
            other | test-efa --library /no/such/library other
            other | test-hosts plain other
            other | test-launchers launch other
            --library | test-psm3 --library
            TIMES | test-rdmacm 1e6
            /no/such/script | test-verbs /no/such/script
            NAME | try-features
            shm | try-features 2.1 shm
            """)
    void refusesWhatCannotBe(String named, String line) throws Exception {
        isRefused(named, line);
    }

    private void isRefused(String named, String line) throws Exception {
        Result result = Shell.run(dir, Map.of(), "bash", "-c", Docs.ROOT.resolve("scripts") + "/" + line);
        assertThat(result.status()).as(result.output()).isEqualTo(2);
        assertThat(result.output()).contains(named).matches("error: .* scripts/[a-z0-9-]+ --help says what it takes\n");
    }

    /** Where its name alone would be a command of the shell's, which does nothing. */
    @Test
    void theTestsRunByTheNameOfTheScriptAlone() throws Exception {
        Path bin = Files.createDirectories(dir.resolve("bin"));
        Files.writeString(bin.resolve("mvn"), "#!/bin/sh\n");
        assertThat(bin.resolve("mvn").toFile().setExecutable(true)).isTrue();
        Result result = Shell.run(dir, Map.of("HOME", dir.toString(), "XDG_CACHE_HOME", dir.toString()), "bash",
                "-c", "cd " + dir + " && cp -r '" + Docs.ROOT + "/scripts' . && cd scripts"
                + " && PATH=" + bin + ":$PATH bash test");
        assertThat(result.output()).contains("No test ran.").endsWith("0 passed, 0 failed, 0 skipped\n");
        assertThat(result.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void helps(Path script) throws Exception {
        Result result = Shell.run(dir, Map.of(), script.toString(), "-h");
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("Usage: ").doesNotContain("shellcheck", "Building", "Installing");
    }
}
