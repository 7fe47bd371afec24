// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A rendezvous server in a process of its own, which tells what the job has cost it when all have left. */
public final class ServerProcess {
    private ServerProcess() {
    }

    /** Takes the number of ranks. */
    public static void main(String[] args) throws Exception {
        try (Server server = Meet.serve(Integer.parseInt(args[0]), 0)) {
            System.out.println("port " + server.port());
            while (server.here() < Integer.parseInt(args[0])) {
                Thread.sleep(10);
            }
            server.awaitEnd(Duration.ofMinutes(5).toMillis());
            long before = used();
            System.out.println("cpu " + ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis()
                    + " ms, at most " + peak() / 1024 + " MB, " + before / 1024 + " KB of Java objects at the end");
        }
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Of the whole process, in KB. */
    private static long peak() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findFirst().orElseThrow();
    }
}
