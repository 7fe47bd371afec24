// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The installed librdmacm, asked by Java and by C. On a machine without RDMA devices it resolves nothing, so that there
 * one is feigned: all else is librdmacm's own code. scripts/test-verbs asks the same with a real (Soft-RoCE) device.
 */
class TwinTest {
    private static final Path CASES = Path.of("src/test/c/cases.txt");

    private static Map<String, String> environment(boolean device) {
        Map<String, String> environment = new HashMap<>();
        if (device && !Files.exists(Path.of("/dev/infiniband/rdma_cm"))) {
            environment.put("LD_PRELOAD", Compiled.library("device-double").toString());
        }
        return environment;
    }

    private static void compare(boolean device, List<String> cases) {
        List<String> command = new ArrayList<>(List.of(Compiled.program("twin").toString()));
        command.addAll(cases);
        String expected = Compiled.run(environment(device), command).strip();
        ChildJvm.Builder java = ChildJvm.of(Answers.class, cases.toArray(String[]::new));
        environment(device).forEach(java::environment);
        ChildJvm.Result result = java.run();
        assertThat(result.output().strip()).isEqualTo(expected);
        assertThat(result.exitCode()).isZero();
        assertThat(expected.lines().filter(line -> line.contains(" rc="))).hasSameSizeAs(cases);
    }

    @Test
    void everyFieldIsWhatCSees() throws Exception {
        List<String> cases = Files.readAllLines(CASES).stream().filter(line -> !line.startsWith("#")).toList();
        assertThat(cases).hasSizeGreaterThan(20);
        compare(true, cases);
    }

    @Test
    void withoutDeviceTheErrorsAreTheSame() {
        compare(false, List.of("127.0.0.1|7471|1|0|0|2|262|-|-|-", "-|-|0|0|0|0|0|-|-|-"));
    }
}
