// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What handlers throw is in the log of their process; what they give to the call as its answer is not. */
@Timeout(60)
class FailingHandlersTest {
    private static long lines(String output, String part) {
        return Arrays.stream(output.split("\n")).filter(line -> line.contains(part)).count();
    }

    @Test
    void areLoggedOnceAMinuteWithTheirStack() {
        assumeTrue(Providers.RXM.isOffered(), "tcp is not offered");
        ChildJvm.Result result = ChildJvm.of(FailingHandlers.class)
                .flags("-Dorg.slf4j.simpleLogger.log.io.jfabric.async=debug").run();
        String output = result.output();
        assertThat(result.exitCode()).as(output).isZero();
        assertThat(output).contains("END", "1: call of service 1", "failed in the service: "
                + "java.lang.IllegalArgumentException: request 1", "\tat io.jfabric.async.FailingHandlers.thrown(");
        for (int service = 1; service <= 2; service++) {
            assertThat(lines(output, "WARN io.jfabric.async.Service - the handler of service " + service + " failed"))
                    .as(output).isEqualTo(1);
            assertThat(lines(output, "DEBUG io.jfabric.async.Service - the handler of service " + service + " failed"))
                    .as(output).isEqualTo(2);
        }
        assertThat(output).contains("3: ").doesNotContain("the handler of service 3 failed");
    }
}
