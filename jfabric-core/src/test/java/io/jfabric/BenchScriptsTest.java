// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import io.jfabric.testing.Shell;
import io.jfabric.testing.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that compare Java with C do before they measure; nothing is built or measured here. */
class BenchScriptsTest {
    @TempDir
    Path dir;

    /** In a repository of its own, with a compiler and a program that do nothing. */
    private Result run(String line) throws IOException, InterruptedException {
        Path root = Files.createDirectories(dir.resolve("root"));
        Files.createDirectories(root.resolve("jfabric-bench/target"));
        Path program = Files.writeString(dir.resolve("program.sh"), """
                . "$1/scripts/lib/common.sh"
                . "$1/scripts/lib/bench.sh"
                ln -sfn "$1/scripts" "$2/scripts"
                ROOT=$2
                need_libfabric() { :; }
                build() { :; }
                gcc() { :; }
                bench_command() { BENCH_COMMAND=(eval 'echo "measured $LD_LIBRARY_PATH ${JFABRIC_LIBRARY-}"'); }
                """ + line);
        return Shell.run(dir, Map.of(), "bash", program.toString(), Docs.ROOT.toString(), root.toString());
    }

    @Test
    void doNotMeasureTheProgramOfBefore() throws Exception {
        Path stale = Files.createDirectories(dir.resolve("root/jfabric-bench/target")).resolve("bench-c");
        Files.writeString(stale, "of before");
        Result result = run("""
                gcc() { return 1; }
                status=0
                bench_here compare.Compare || status=$?
                exit "$status"
                """);
        assertThat(result.status()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("the C program cannot be built").doesNotContain("measured");
        assertThat(stale).doesNotExist();
    }

    /** C is linked with what the search path has; Java would load what the variable names. */
    @Test
    void bothTakeTheLibraryThatIsNamed() throws Exception {
        Path library = Files.createFile(Files.createDirectories(dir.resolve("site/lib")).resolve("libfabric.so.1"));
        Result result = run("""
                export JFABRIC_LIBRARY=%s
                bench_script compare.Compare
                """.formatted(library));
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("(?m)^measured .*:" + library.toRealPath().getParent() + " $");
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
        Result none = run("JFABRIC_LIBRARY=/nowhere/libfabric.so.1 bench_script compare.Compare");
        assertThat(none.status()).as(none.output()).isEqualTo(1);
        assertThat(none.output()).contains("/nowhere/libfabric.so.1").doesNotContain("measured");
    }

    @Test
    void refuseALibraryForJavaAlone() throws Exception {
        Result result = run("JFABRIC_JAVA_OPTS=-Djfabric.library=/a/libfabric.so.1 bench_script compare.Compare");
        assertThat(result.status()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("JFABRIC_LIBRARY").doesNotContain("measured");
    }

    /** Its descendants are those of a function here, as in the Debian 13 root. */
    @Test
    void endWhatTheyMeasure() throws Exception {
        Result result = run("""
                measure() {
                    sleep 300 &
                    echo $BASHPID $! >"$ROOT/pids"
                    sleep 300
                }
                (
                    trap bench_end EXIT
                    run_child measure
                ) &
                script=$!
                while [[ ! -s $ROOT/pids ]]; do sleep 0.05; done
                kill "$script"
                wait "$script" || echo "status $?"
                for pid in $(<"$ROOT/pids"); do
                    for ((i = 0; i < 100; i++)); do
                        [[ -e /proc/$pid ]] || continue 2
                        sleep 0.05
                    done
                    echo "still there"
                    kill -9 "$pid"
                done
                """);
        assertThat(result.output()).contains("status 143").doesNotContain("still there");
    }

    /** Maven is one that gets a jar, and fails. */
    @Test
    void halfOfSparkIsNotTakenForAllOfIt() throws Exception {
        Path root = Files.createDirectories(dir.resolve("root"));
        Files.createDirectories(root.resolve("scripts/lib"));
        for (String script : List.of("bench-sort", "lib/common.sh")) {
            Files.copy(Docs.ROOT.resolve("scripts").resolve(script), root.resolve("scripts").resolve(script));
        }
        Files.createFile(Files.createDirectories(root.resolve("jfabric-bench/spark")).resolve("pom.xml"));
        Files.createFile(Files.createDirectories(root.resolve("jfabric-examples/target")).resolve(".built"));
        Path maven = Files.createDirectories(dir.resolve("bin")).resolve("mvn");
        Files.writeString(maven, """
                #!/bin/bash
                jars=${0%/bin/mvn}/root/jfabric-bench/target/spark/jars
                for arg; do [[ $arg != -Djars=* ]] || jars=${arg#-Djars=}; done
                mkdir -p "$jars" && touch "$jars/one.jar" && echo "half of it"
                exit 1
                """);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        for (int i = 0; i < 2; i++) {
            Result result = Shell.run(dir, Map.of("JFABRIC_LIBRARY", "named", "PATH", maven.getParent() + ":"
                    + System.getenv("PATH")), root.resolve("scripts/bench-sort").toString());
            assertThat(result.status()).as(result.output()).isEqualTo(1);
            assertThat(result.output()).contains("half of it");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench-collectives --sizes", "bench-join --ranks", "bench-sort --growth --work"})
    void sayWhichValueIsMissing(String line) throws Exception {
        Result result = Shell.run(dir, Map.of(), "sh", "-c", Docs.ROOT.resolve("scripts") + "/" + line);
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.output()).startsWith("error: " + line.substring(line.lastIndexOf(' ') + 1)
                + " needs a value; ");
    }
}
