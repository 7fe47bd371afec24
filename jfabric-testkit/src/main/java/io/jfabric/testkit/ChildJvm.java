// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A main class of the test tree in a JVM of its own, on the class path. Its output is captured (stdout and stderr
 * together); it never outlives {@link #close()}, nor this JVM unless that is killed.
 */
public final class ChildJvm implements AutoCloseable {
    /** For each wait: 30 seconds, or as many as the system property {@code jfabric.testkit.deadlineSeconds} says. */
    public static final Duration DEADLINE = Deadline.fromProperty();

    /** One that is stopped prints nothing. */
    private static final Duration STACKS = Duration.ofSeconds(3);

    private final ProcessBuilder command;
    private final Process process;
    /** Of those that a prefix has started, all that were ever met: once it is dead nobody knows whose they are. */
    private final Set<ProcessHandle> started = ConcurrentHashMap.newKeySet();
    private final boolean prefixed;
    private final List<String> output = new ArrayList<>();
    private final Thread reader;

    private ChildJvm(ProcessBuilder command, boolean prefixed) {
        this.command = command;
        this.prefixed = prefixed;
        try {
            this.process = command.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Leftovers.child(this);
        this.reader = Thread.ofPlatform().daemon().name("child-output").start(this::read);
    }

    /** What to start. */
    public static final class Builder {
        private final Class<?> main;
        private final List<String> arguments;
        private final List<String> flags = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSystemMemoryBarrier", "-Xmx256m",
                // most live for some seconds
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-XX:ErrorFile=target/hs_err_child_%p.log"));
        private final List<String> environment = new ArrayList<>();
        private final List<String> libraries = new ArrayList<>();
        private List<String> prefix = List.of();

        private Builder(Class<?> main, String... arguments) {
            this.main = main;
            this.arguments = List.of(arguments);
        }

        /** Adds flags of the JVM. */
        public Builder flags(String... more) {
            flags.addAll(List.of(more));
            return this;
        }

        /** Drops the flag that allows native access. */
        public Builder withoutNativeAccess() {
            flags.removeIf(flag -> flag.startsWith("--enable-native-access"));
            return this;
        }

        /** Adds a jar or directory to the end of its class path. */
        public Builder library(Path path) {
            libraries.add(File.pathSeparator + path);
            return this;
        }

        /**
         * Runs it through another command, such as {@code ip netns exec}. If that does not become the JVM, but starts
         * it and waits, signals go to all that it has started.
         */
        public Builder prefix(String... command) {
            prefix = List.of(command);
            return this;
        }

        /** Sets a variable of its environment. */
        public Builder environment(String name, String value) {
            environment.add(name);
            environment.add(value);
            return this;
        }

        /** Starts it. */
        public ChildJvm start() {
            List<String> command = new ArrayList<>(prefix);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(flags);
            // peers need the same library
            String library = System.getProperty("jfabric.library");
            if (library != null && flags.stream().noneMatch(flag -> flag.startsWith("-Djfabric.library="))) {
                command.add("-Djfabric.library=" + library);
            }
            command.addAll(List.of("-cp", classPath(main) + String.join("", libraries), main.getName()));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            // the parent may have been started with options that a child must not inherit
            builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
            for (int i = 0; i < environment.size(); i += 2) {
                builder.environment().put(environment.get(i), environment.get(i + 1));
            }
            return new ChildJvm(builder, !prefix.isEmpty());
        }

        /** Starts it and waits for its end. */
        public Result run() {
            try (ChildJvm child = start()) {
                return child.await();
            }
        }
    }

    /** How it ended; above 128 by a signal. */
    public record Result(int exitCode, String output) {
    }

    /** Describes a child with this main class and these arguments. */
    public static Builder of(Class<?> main, String... arguments) {
        return new Builder(main, arguments);
    }

    // Tests run as a module, patched with the test tree, which is in neither of the two paths.
    private static String classPath(Class<?> main) {
        Set<String> path = new LinkedHashSet<>();
        path.add(treeOf(main));
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            String value = System.getProperty(property);
            if (value != null && !value.isEmpty()) {
                path.addAll(Arrays.asList(value.split(File.pathSeparator)));
            }
        }
        return String.join(File.pathSeparator, path);
    }

    private static String treeOf(Class<?> main) {
        String file = main.getName().replace('.', '/') + ".class";
        try {
            String path = Path.of(main.getResource('/' + file).toURI()).toString();
            return path.substring(0, path.length() - file.length());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try (InputStream in = process.getInputStream();
             BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (output) {
                    output.add(line);
                    output.notifyAll();
                }
            }
        } catch (IOException killed) {
            // what was read so far is all there is
        }
    }

    /** Its process ID. */
    public long pid() {
        return process.pid();
    }

    /** What it has printed so far. */
    public String output() {
        synchronized (output) {
            return String.join("\n", output);
        }
    }

    /** The first line of output that matches, also one printed already. */
    public String awaitLine(Predicate<String> which) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        synchronized (output) {
            for (int next = 0;;) {
                for (; next < output.size(); next++) {
                    if (which.test(output.get(next))) {
                        return output.get(next);
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0 || !process.isAlive() && !reader.isAlive()) {
                    printStacks();
                    throw new AssertionError("the child did not print it" + describe());
                }
                try {
                    output.wait(Math.min(left, 100));
                } catch (InterruptedException e) {
                    throw interrupted(e);
                }
            }
        }
    }

    /** The process, by its handle, as itself it would close what it says in the end; then what a prefix started. */
    private List<ProcessHandle> all() {
        if (prefixed) {
            process.descendants().forEach(started::add);
        }
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        all.addAll(started);
        return all;
    }

    /** Sends SIGTERM: to a prefix last, as nothing is read any more of what others say after its end. */
    public void terminate() {
        List<ProcessHandle> others = all();
        ProcessHandle first = others.removeFirst();
        others.forEach(ProcessHandle::destroy);
        CompletableFuture.allOf(others.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                .orTimeout(5, TimeUnit.SECONDS).whenComplete((ended, some) -> first.destroy());
    }

    /** Sends SIGKILL, and has removed what they leave. */
    void destroy() {
        for (ProcessHandle one : all()) {
            Leftovers.ofKilled(one.pid());
            one.destroyForcibly();
        }
    }

    /** Whether all have ended in time. */
    boolean awaitEnd(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (ProcessHandle one : all()) {
            try {
                one.onExit().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                return false;
            }
        }
        // its handle may know of it earlier
        return process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /** Ends it at once (SIGKILL), as a crash would. */
    public void kill() {
        destroy();
        await();
    }

    /** Stops it where it is (SIGSTOP): it lives, but answers nothing until {@link #resume}. */
    public void stop() {
        signal("STOP");
    }

    /** Lets a stopped one go on (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /**
     * Ends it if it still runs (SIGKILL), also one that is stopped, and starts the same command again.
     *
     * @return the new process, to be closed as well; {@link #output} of this one stays what it was
     */
    public ChildJvm restart() {
        close();
        if (process.isAlive()) {
            throw new AssertionError("the child has not ended within " + DEADLINE + describe());
        }
        return new ChildJvm(command, prefixed);
    }

    private void signal(String name) {
        try {
            // the shell's own: not every system has the program
            String pids = all().stream().filter(ProcessHandle::isAlive).map(one -> Long.toString(one.pid()))
                    .collect(Collectors.joining(" "));
            int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pids).inheritIO().start().waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + name + " " + pid() + " ended with " + exit + describe());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Writes a line to the child's stdin. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the child does not listen" + describe(), e);
        }
    }

    /** Waits for its end. */
    public Result await() {
        try {
            if (!process.waitFor(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
                printStacks();
                throw new AssertionError("the child still runs after " + DEADLINE + describe());
            }
            reader.join(DEADLINE);
            if (process.exitValue() != 0) {
                Leftovers.ofKilled(pid());
            }
            return new Result(process.exitValue(), output());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Has the JVM print what its threads do: it is to be told why it does not go on. */
    private void printStacks() {
        if (prefixed || !process.isAlive()) {
            return;
        }
        signal("QUIT");
        long end = System.nanoTime() + STACKS.toNanos();
        synchronized (output) {
            while (output.stream().noneMatch(line -> line.startsWith("JNI global refs")) && System.nanoTime() < end) {
                try {
                    output.wait(100);
                } catch (InterruptedException e) {
                    throw interrupted(e);
                }
            }
        }
    }

    private String describe() {
        return "; its output:\n" + output();
    }

    /** Mostly as the test's time is over: then what the child was about is what matters. */
    private AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while waiting for a child JVM" + describe(), e);
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        // it may have ended without a chance to clean up, whatever its exit status
        boolean alive = process.isAlive();
        destroy();
        if (alive) {
            // closes its streams
            process.destroyForcibly();
        }
        try {
            awaitEnd(DEADLINE);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        Leftovers.childEnded(this);
    }
}
