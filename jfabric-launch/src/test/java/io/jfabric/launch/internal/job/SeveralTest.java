// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.Job;
import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.Way;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What launchers leave in the environment of processes that they do not tell of each other. */
class SeveralTest {
    private static Map<String, String> environment(String variables) {
        return Arrays.stream(variables.split(" ")).map(each -> each.split("="))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JFABRIC_SIZE=4 JFABRIC_RANK=0", "JFABRIC_SIZE=4 JOB_COMPLETION_INDEX=0", "JFABRIC_RANK=2",
        "PMIX_RANK=0", "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0",
        "PALS_RANKID=0 PMI_CONTROL_PORT=40000", "PMI_PORT=host:40000 PMI_ID=0", "PMI_SIZE=4 PMI_RANK=0", "PMI_RANK=3",
        "FLUX_JOB_SIZE=4 FLUX_TASK_RANK=0", "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 SLURM_STEP_ID=0"})
    void oneOfSeveralIsNotAlone(String variables) {
        Map<String, String> environment = environment(variables);
        assertThatThrownBy(() -> Job.join(JobOptions.DEFAULT.withEnvironment(environment)))
                .isInstanceOf(JobException.class).hasMessageStartingWith("join: " + variables.split(" ")[0]
                        + " says that this process ").hasMessageContaining(", but nothing tells how they meet: ")
                .hasMessageEndingWith("set JFABRIC_LAUNCH=alone");
        Map<String, String> named = new HashMap<>(environment);
        named.put("JFABRIC_LAUNCH", "alone");
        alone(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH=/bin", "JFABRIC_SIZE=1 JFABRIC_RANK=0", "JOB_COMPLETION_INDEX=2",
        "PMI_SIZE=1 PMI_RANK=0", "OMPI_COMM_WORLD_SIZE=1", "FLUX_JOB_SIZE=1", "PMI_SIZE=many",
        "SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=0"})
    void oneOfOneIs(String variables) {
        alone(environment(variables));
    }

    private static void alone(Map<String, String> environment) {
        try (Job job = Job.join(JobOptions.DEFAULT.withEnvironment(environment))) {
            assertThat(job.way()).isEqualTo(Way.ALONE);
            assertThat(job.size()).isEqualTo(1);
        }
    }
}
