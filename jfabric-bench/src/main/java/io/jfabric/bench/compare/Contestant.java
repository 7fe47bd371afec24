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

    private final String title;
    private Process server;
    private Process process;
    private BufferedReader out;
    private Writer in;
    private String provider;
    private String library;
    private String unit;

    Contestant(String title) {
        this.title = title;
    }

    void server(Process started) {
        server = watched(started);
    }

    void process(Process started) {
        process = watched(started);
        out = process.inputReader();
        in = process.outputWriter();
    }

    /** Whatever hangs: its end ends the wait for its next line. */
    private static Process watched(Process process) {
        CompletableFuture.delayedExecutor(DEADLINE_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        return process;
    }

    /** Where the server listens. */
    String port() throws IOException {
        String line = server.inputReader().readLine();
        if (line == null || !line.startsWith("port ")) {
            throw new IOException(title + ": the server did not start");
        }
        return line.substring("port ".length());
    }

    /** Waits until it may warm up, lets it, and waits until it has. */
    void warmUp() throws IOException {
        say("warm");
        while (unit == null) {
            String[] words = line().split(" ");
            if (words[0].equals("provider")) {
                provider = words[1];
                library = words[2];
            } else if (words[0].equals("ready")) {
                unit = words[1];
            }
        }
    }

    /** The unit of what it measures. */
    String unit() {
        return unit;
    }

    /** The provider's full name. */
    String provider() {
        return provider;
    }

    /** The release of libfabric that it has loaded. */
    String library() {
        return library;
    }

    double turn() throws IOException {
        say("turn");
        String line = line();
        if (!line.startsWith("turn ")) {
            throw new IOException(title + " said '" + line + "'");
        }
        return Double.parseDouble(line.substring("turn ".length()));
    }

    private void say(String word) throws IOException {
        try {
            in.write(word + "\n");
            in.flush();
        } catch (IOException e) {
            throw new IOException(title + " ended too early", e);
        }
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException(title + " ended too early");
        }
        return line;
    }

    /** Lets it end, without waiting. */
    void end() throws IOException {
        in.close();
    }

    /** After {@link #end}: whether it ended well. */
    boolean endedWell() throws InterruptedException {
        return endedWell(process) && (server == null || endedWell(server));
    }

    private static boolean endedWell(Process process) throws InterruptedException {
        return process.waitFor(END_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /** Asked first, since C's shm removes what it has in /dev/shm when it is. */
    @Override
    public void close() {
        if (process != null) {
            process.destroy();
        }
        if (server != null) {
            server.destroy();
        }
    }
}
