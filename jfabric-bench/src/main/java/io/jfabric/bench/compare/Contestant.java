// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of one language in one case: one process, or a client and its server. It does nothing but on its turn. */
final class Contestant implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 120;
    private static final long END_SECONDS = 10;

    private final Process server;
    private final Process process;
    private final Spec spec;
    private final BufferedReader out;
    private final Writer in;
    private String provider;
    private String unit;

    /** The server is null if there is none. */
    Contestant(Process server, Process process, Spec spec) {
        this.server = server;
        this.process = process;
        this.spec = spec;
        out = process.inputReader();
        in = process.outputWriter();
        // whatever hangs: its end ends the wait for its next line
        CompletableFuture.delayedExecutor(DEADLINE_SECONDS, TimeUnit.SECONDS).execute(this::kill);
    }

    private void kill() {
        process.destroyForcibly();
        if (server != null) {
            server.destroyForcibly();
        }
    }

    /** Waits until it is warmed up. */
    Contestant awaitReady() throws IOException {
        while (unit == null) {
            String[] words = line().split(" ");
            if (words[0].equals("provider")) {
                provider = words[1];
            } else if (words[0].equals("ready")) {
                unit = words[1];
            }
        }
        return this;
    }

    /** The unit of what it measures. */
    String unit() {
        return unit;
    }

    /** The provider's full name. */
    String provider() {
        return provider;
    }

    double turn() throws IOException {
        in.write("turn\n");
        in.flush();
        String line = line();
        if (!line.startsWith("turn ")) {
            throw new IOException(spec + " said '" + line + "'");
        }
        return Double.parseDouble(line.substring("turn ".length()));
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException(spec + " ended too early");
        }
        return line;
    }

    /** Lets it end, and says whether it did so well. */
    boolean end() throws IOException, InterruptedException {
        in.close();
        return process.waitFor(END_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
                && (server == null || server.waitFor(END_SECONDS, TimeUnit.SECONDS) && server.exitValue() == 0);
    }

    /** Asked first, since C's shm removes what it has in /dev/shm when it is. */
    @Override
    public void close() {
        process.destroy();
        if (server != null) {
            server.destroy();
        }
    }
}
