// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.Docs;
import io.jfabric.testing.Shell;
import io.jfabric.testing.Shell.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that would destroy what others have wait for them, and for nobody else. */
class ScriptLocksTest {
    @TempDir
    Path dir;

    private Result run(Map<String, String> environment, String program) throws Exception {
        Path file = Files.writeString(dir.resolve("program.sh"), program);
        return Shell.run(dir, environment, "bash", file.toString(), Docs.ROOT.toString(), dir.toString());
    }

    /** With .git and without: the lock is in there, or in the cache. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneBuildAtATime(boolean git) throws Exception {
        Files.createDirectories(dir.resolve("root/target"));
        if (git) {
            Files.createDirectories(dir.resolve("root/.git"));
        }
        Result result = run(Map.of("XDG_CACHE_HOME", dir.resolve("cache").toString()), """
                . "$1/scripts/lib/common.sh"
                ROOT=$2/root
                until_there() { until [[ -s $1 ]]; do sleep 0.02; done; }
                first() {
                    sleep 300 &
                    echo $! >"$ROOT/pid"
                    # as Maven's clean does
                    rm -rf "$ROOT/target"
                    until_there "$ROOT/waits"
                    sleep 0.2
                    # as tests do
                    with_build_lock echo nested
                    echo first
                }
                with_build_lock first &
                until_there "$ROOT/pid"
                with_build_lock echo second 2>"$ROOT/waits"
                wait
                # what the first has left does not hold it
                kill "$(<"$ROOT/pid")"
                status=0
                with_build_lock false || status=$?
                echo "status $status"
                """);
        assertThat(result.output()).isEqualTo("nested\nfirst\nsecond\nstatus 1\n");
        assertThat(result.status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arm64", "verbs"})
    void oneAtATimeUsesTheSameFolder(String name) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "a Debian 13 root needs root");
        Files.createFile(Files.createDirectories(dir.resolve("cache")).resolve("ready"));
        Result result = run(Map.of("JFABRIC_DEBIAN13", dir.resolve("cache").toString()), """
                exec 9>"$2/cache/lock-%1$s"
                flock 9
                "$1/scripts/test-%1$s" 9>&- 2>"$2/said" &
                until [[ -s $2/said ]]; do sleep 0.02; done
                cat "$2/said"
                kill $!
                """.formatted(name));
        assertThat(result.output()).isEqualTo("Waiting for another process, which uses " + name + " in "
                + dir.resolve("cache") + "\n");
    }
}
