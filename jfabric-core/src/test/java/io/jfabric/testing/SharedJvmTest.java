// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program does in a shared JVM is known of it alone, also when that is the end of the JVM. */
@Timeout(60)
class SharedJvmTest {
    /** Says which process it is in, and ends as it is told. */
    static final class Ends {
        private Ends() {
        }

        public static void main(String[] args) throws Exception {
            System.out.println("in " + ProcessHandle.current().pid());
            switch (args[0]) {
                case "returns" -> System.out.print("the last line");
                case "throws" -> throw new Exception("thrown");
                case "exits" -> System.exit(0);
                case "dies" -> Runtime.getRuntime().halt(134);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    private static ChildJvm.Result run(String how) {
        return SharedJvm.run(Ends.class, how);
    }

    /** There must be no line of another run. */
    private static String place(ChildJvm.Result result) {
        List<String> lines = result.output().lines().filter(line -> line.startsWith("in ")).toList();
        assertThat(lines).hasSize(1);
        return lines.getFirst();
    }

    @Test
    void oneIsEnoughForWhatReturns() {
        ChildJvm.Result first = run("returns");
        ChildJvm.Result second = run("returns");
        assertThat(first.exitCode()).isZero();
        assertThat(first.output()).contains("the last line");
        assertThat(second.exitCode()).isZero();
        assertThat(second.output()).contains("the last line");
        assertThat(place(second)).isEqualTo(place(first));
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "exits", "dies"})
    void theNextHasAnotherAfterOneThat(String ends) {
        String before = place(run("returns"));
        ChildJvm.Result result = run(ends);
        assertThat(result.exitCode()).isEqualTo(ends.equals("exits") ? 0 : ends.equals("dies") ? 134 : 1);
        assertThat(place(result)).isEqualTo(before);
        assertThat(result.output()).doesNotContain("the last line");
        assertThat(result.output().contains("thrown")).isEqualTo(ends.equals("throws"));
        ChildJvm.Result next = run("returns");
        assertThat(next.output()).contains("the last line");
        assertThat(place(next)).isNotEqualTo(before);
    }
}
