// SPDX-License-Identifier: Apache-2.0
package io.jfabric.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Each redirection in a JVM of its own: there can be one only, and what matters most is how the JVM ends. */
class FabricLogTest {
    private static ChildJvm.Builder child(String what) {
        return ChildJvm.of(LogChild.class, what).flags("-Dorg.slf4j.simpleLogger.defaultLogLevel=debug");
    }

    private static long lines(String output, String part) {
        return Arrays.stream(output.split("\n")).filter(line -> line.contains(part)).count();
    }

    @Test
    void linesArriveAndTheVmEndsInPeace() {
        ChildJvm.Result result = child("open-at-exit").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("END");
        assertThat(lines(result.output(), "INFO io.jfabric.native.core.CORE")).isGreaterThan(10);
        // the process prints "libfabric:PID:..." only where C itself writes
        assertThat(beforeEnd(result.output())).doesNotContain("libfabric:");
    }

    private static String beforeEnd(String output) {
        return output.substring(0, output.indexOf("END"));
    }

    @Test
    void theVmMayAlsoBeEndedByExit() {
        ChildJvm.Result result = child("exit").run();
        assertThat(result.exitCode()).as(result.output()).isEqualTo(3);
        assertThat(lines(result.output(), "io.jfabric.native.")).isPositive();
    }

    @Test
    void afterClosingTheLinesGoToStderrAgain() {
        ChildJvm.Result result = child("closed").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        int closed = result.output().indexOf("CLOSED");
        assertThat(lines(result.output().substring(0, closed), "io.jfabric.native.")).isPositive();
        assertThat(lines(result.output().substring(closed), "io.jfabric.native.")).isZero();
        assertThat(result.output().substring(closed)).contains("libfabric:");
    }

    @Test
    void aSecondRedirectionIsRefused() {
        ChildJvm.Result result = child("twice").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("REFUSED fi_import_log: FI_EALREADY").contains("END");
    }

    @Test
    void whileTheVmEndsNothingIsRedirected() {
        ChildJvm.Result result = child("too-late").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(lines(result.output(), "REFUSED fi_import_log: the JVM is ending")).isEqualTo(2);
    }

    @Test
    void threadsMayLogAtOnce() {
        ChildJvm.Result result = child("threads").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(lines(result.output(), "INFOS true")).isEqualTo(4);
    }

    @Test
    void theLevelCannotChangeOnceLibfabricHasStarted() {
        ChildJvm.Result result = child("levels").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("REFUSED setParameter", "FI_LOG_LEVEL", "END");
    }

    @Test
    void theEnvironmentHasPrecedence() {
        ChildJvm.Result result = child("open-at-exit").environment("FI_LOG_LEVEL", "warn").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(lines(result.output(), "INFO io.jfabric.native.")).isZero();
    }
}
