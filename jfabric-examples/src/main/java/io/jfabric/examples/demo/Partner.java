// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link DemoPeer} in a JVM of its own, seen from the process that started it. */
final class Partner implements AutoCloseable {
    private final Process process;
    private final BufferedReader in;
    private final PrintStream out;
    private final Thread hook;

    Partner(String provider) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), DemoPeer.class.getName(), provider));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        hook = new Thread(process::destroy, "stop-partner");
        Runtime.getRuntime().addShutdownHook(hook);
        in = process.inputReader();
        out = new PrintStream(process.getOutputStream(), true);
    }

    /** Its next line: first where it can be reached. */
    String line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the other process ended too early; its message is above");
        }
        return line;
    }

    void tell(Object... words) {
        for (int i = 0; i < words.length; i++) {
            out.print((i > 0 ? " " : "") + words[i]);
        }
        out.println();
    }

    /** Lets it end, and makes it if it does not. */
    @Override
    public void close() {
        out.close();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroy();
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        } catch (IllegalStateException shuttingDown) {
            process.destroy();
        }
    }
}
