// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.util.List;

/** How the run of one seed ended. {@code kind} is "", "crash", "hang" or "error"; {@code symptom} where and in what. */
record Outcome(long seed, long calls, String kind, String symptom, List<String> findings, long undocumented, long late,
        long broken, long rss, long fds, long shm, long worlds) {
}
