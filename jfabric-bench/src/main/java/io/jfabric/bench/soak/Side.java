// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A {@link SoakPeer}, as the first process sees it. Its lines are a word and what belongs to it. */
final class Side {
    private final String name;
    private final Process process;
    private final Map<String, String> said = new HashMap<>();
    private boolean silent;

    Side(String name, List<String> java, String provider, int seconds, int warmUp) throws IOException {
        this.name = name;
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(provider, Integer.toString(seconds), Integer.toString(warmUp)));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread.ofPlatform().daemon().start(this::listen);
    }

    private void listen() {
        process.inputReader(StandardCharsets.US_ASCII).lines().forEach(line -> {
            String[] words = line.split(" ", 2);
            if (words[0].equals("sofar")) {
                System.err.println(name + ": messages, writes, calls so far: " + words[1]);
            }
            synchronized (this) {
                said.put(words[0], words.length > 1 ? words[1] : "");
                notifyAll();
            }
        });
        synchronized (this) {
            silent = true;
            notifyAll();
        }
    }

    /** What follows that word; waits for it. */
    synchronized String await(String word, int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!said.containsKey(word)) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (silent || left <= 0) {
                throw new IllegalStateException(name + " (process " + process.pid() + ") has not said \"" + word
                        + (silent ? "\", it is gone" : "\" in " + seconds + " s"));
            }
            wait(left);
        }
        return said.get(word);
    }

    synchronized long[] numbers(String word) {
        return Arrays.stream(said.get(word).split(" ")).mapToLong(Long::parseLong).toArray();
    }

    synchronized String text(String word) {
        return said.get(word);
    }

    void tell(String line) {
        try {
            process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException(name + " does not listen: " + e);
        }
    }

    /** Its status. */
    int end() throws InterruptedException {
        return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return name;
    }
}
