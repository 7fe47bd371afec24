// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.single;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A way to run the same work.
 *
 * @param title for tables
 * @param id for JSON
 * @param command the program, without the work
 */
record Variant(String title, String id, List<String> command) {
    private static final long DEADLINE_SECONDS = 120;

    static Variant c(String program) {
        return new Variant("C", "c", List.of(program));
    }

    /** Flags of the JVM before those in {@code bench.flags}. */
    static Variant java(String title, String id, List<String> flags) {
        List<String> line = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        line.addAll(flags);
        line.addAll(List.of(System.getProperty("bench.flags", "").split(" +")));
        line.removeIf(String::isEmpty);
        line.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp",
                System.getProperty("java.class.path"), "io.jfabric.bench.vsc.Bench"));
        return new Variant(title, id, line);
    }

    /** Runs it and hands over its lines as they come. */
    void run(List<String> work, Consumer<String> lines) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(command);
        line.addAll(work);
        Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
        CompletableFuture.delayedExecutor(DEADLINE_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        try (BufferedReader out = process.inputReader()) {
            out.lines().forEach(lines);
        }
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(hook);
        if (status != 0) {
            throw new IOException(title + " ended with status " + status);
        }
    }
}
