// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.launch.Job;
import io.jfabric.launch.JobOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Joins the job, and tells how long it took from the start of the first process until all had met: mostly the starts of
 * their JVMs. To be started by mpirun, mpiexec, srun or scripts/launch.
 *
 * <p>Usage: MeetAll
 */
public final class MeetAll {
    private MeetAll() {
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        long began = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
        try (Job job = Job.join(JobOptions.DEFAULT.withDeadline(Duration.ofMinutes(5)))) {
            List<byte[]> all = job.exchange(ByteBuffer.allocate(Long.BYTES).putLong(began).array());
            if (job.rank() == 0) {
                long first = all.stream().mapToLong(bytes -> ByteBuffer.wrap(bytes).getLong()).min().orElseThrow();
                System.out.println(String.format(Locale.ROOT, "ok: %d ranks by %s have met %.1f s after the first of "
                        + "them began", job.size(), job.way(), (Instant.now().toEpochMilli() - first) / 1e3));
            }
        }
    }
}
