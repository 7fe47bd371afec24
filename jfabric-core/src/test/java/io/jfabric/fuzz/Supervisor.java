// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs one seed in a JVM of its own, watches it, and writes down what is needed to understand its death. */
final class Supervisor {
    private static final int LINES = 400;
    private static final Pattern OBJECT = Pattern.compile("\\w+#\\d+");
    private static final int LATEST = Integer.getInteger("fuzz.latest", 60);
    private static final Pattern FRAME = Pattern.compile("^# (?:Problematic frame:|C  .*|J .*|V  .*|j .*)");

    private final Options options;
    private final Api api;
    private final Deque<String> output = new ArrayDeque<>();

    Supervisor(Options options, Api api) {
        this.options = options;
        this.api = api;
    }

    Outcome run(Options.Choice choice, long seed, long calls, long millis, Totals totals) throws IOException,
            InterruptedException {
        String name = choice.toString().replaceAll("[^a-z0-9A-Z]+", "-") + "-t" + options.threads + "-seed" + seed;
        Path directory = options.out.resolve("runs").resolve(name).toAbsolutePath();
        delete(directory);
        Files.createDirectories(directory);
        Ring ring = new Ring(directory.resolve("ring"), options.threads, api.targets.size());
        output.clear();
        Process child = start(directory, choice, seed, calls, millis);
        Thread reader = Thread.ofPlatform().daemon().start(() -> read(child));
        String hang = watch(child, ring, millis);
        child.waitFor();
        reader.join(2000);
        boolean done = ring.get(Ring.Number.STATE) == Ring.DONE;
        boolean died = Files.exists(directory.resolve("hs_err.log"));
        String kind = hang != null ? "hang" : died ? "crash" : done && child.exitValue() == 0 ? ""
                : child.exitValue() == 77 || child.exitValue() == 1 ? "error" : "crash";
        String symptom = kind.isEmpty() ? "" : symptom(kind, hang, child, directory, ring);
        Path findings = directory.resolve("findings");
        List<String> found = Files.exists(findings) ? Files.readAllLines(findings) : List.of();
        totals.add(ring);
        Outcome outcome = new Outcome(seed, ring.calls(), kind, symptom, found, ring.get(Ring.Number.UNDOCUMENTED),
                ring.get(Ring.Number.LATE), ring.get(Ring.Number.BROKEN), growth(ring, Ring.Number.RSS_NOW),
                growth(ring, Ring.Number.FDS_NOW), growth(ring, Ring.Number.SHM_NOW), ring.get(Ring.Number.WORLDS));
        if (kind.isEmpty()) {
            delete(directory);
        } else {
            report(directory, choice, outcome, ring);
        }
        return outcome;
    }

    private static long growth(Ring ring, Ring.Number now) {
        return ring.get(now) - ring.get(Ring.Number.values()[now.ordinal() - 1]);
    }

    private Process start(Path directory, Options.Choice choice, long seed, long calls, long millis)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin",
                "java").toString(), "--enable-native-access=ALL-UNNAMED", "-Xms384m", "-Xmx384m",
                "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + directory.resolve("hs_err.log"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
        command.addAll(options.jvm);
        command.addAll(List.of("-cp", ClassPath.get(), Child.class.getName(), directory.toString(),
                choice.provider(), choice.type(), Long.toString(seed), Long.toString(calls),
                Integer.toString(options.threads), Integer.toString(options.peers), Long.toString(millis)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).directory(directory.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        // names are looked up nowhere for long
        builder.environment().put("RES_OPTIONS", "attempts:1 timeout:1");
        builder.environment().put("MALLOC_CHECK_", "3");
        if (choice.provider().equals("tcp")) {
            builder.environment().put(Known.EARLY, "0");
        }
        if ((seed & 1) != 0) {
            builder.environment().put(Known.MIXED, "0");
        }
        Process child = builder.start();
        child.getOutputStream().close();
        return child;
    }

    private void read(Process child) {
        try (BufferedReader in = child.inputReader(StandardCharsets.ISO_8859_1)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (output) {
                    output.add(line);
                    if (output.size() > LINES) {
                        output.removeFirst();
                    }
                }
            }
        } catch (IOException killed) {
            // what was read is all there is
        }
    }

    /** Waits for the end; gives a thread dump if it had to be brought about. */
    private String watch(Process child, Ring ring, long millis) throws InterruptedException, IOException {
        long last = -1;
        long since = System.nanoTime();
        long waitedBefore = 0;
        long limit = TimeUnit.SECONDS.toNanos(options.hangSeconds);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) + limit;
        while (!child.waitFor(200, TimeUnit.MILLISECONDS)) {
            long calls = ring.calls();
            if (calls != last) {
                last = calls;
                since = System.nanoTime();
                waitedBefore = waitedForCpu(child);
            }
            long now = System.nanoTime();
            boolean stuck = now - since > limit || ring.longestNanos() > limit;
            if (stuck) {
                // a busy machine is no hang
                long patience = Math.min(waitedForCpu(child) - waitedBefore, 9 * limit);
                stuck = Math.max(now - since, ring.longestNanos()) > limit + patience;
            }
            // a JVM that has done its work is to end
            if (stuck || now > deadline + 10 * limit) {
                return kill(child);
            }
        }
        return null;
    }

    /** For how long the threads of a process have been ready to run, but did not. */
    private static long waitedForCpu(Process child) {
        long sum = 0;
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + child.pid() + "/task"))) {
            for (Path task : tasks.toList()) {
                sum += Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[1]);
            }
        } catch (IOException | UncheckedIOException ended) {
            // it, or one of its threads
        }
        return sum;
    }

    private String kill(Process child) throws IOException, InterruptedException {
        int before;
        synchronized (output) {
            before = output.size();
        }
        new ProcessBuilder("sh", "-c", "kill -QUIT " + child.pid()).start().waitFor();
        child.waitFor(2, TimeUnit.SECONDS);
        child.destroyForcibly();
        synchronized (output) {
            return String.join("\n", output.stream().skip(Math.min(before, output.size())).toList());
        }
    }

    private String symptom(String kind, String dump, Process child, Path directory, Ring ring) throws IOException {
        List<String> inside = new ArrayList<>();
        for (int i = 0; i < ring.threads(); i++) {
            if (ring.isInside(i)) {
                inside.add(ring.latest(i, 1).toString().replaceFirst(".*?c\\d+ >*", "").replaceFirst(" on .*", "")
                        .replaceFirst("^\\[\\d+ ", ""));
            }
        }
        String where = inside.isEmpty() ? "between calls" : String.join(" | ", inside);
        if (dump != null) {
            return where + ": no progress";
        }
        if (kind.equals("error")) {
            return where + ": " + lastLine();
        }
        return where + ": " + frame(directory, child);
    }

    private String lastLine() {
        synchronized (output) {
            return output.stream().filter(l -> l.contains("Exception") || l.contains("Error")).findFirst()
                    .orElse(output.isEmpty() ? "no output" : output.getLast());
        }
    }

    private String frame(Path directory, Process child) throws IOException {
        Path log = directory.resolve("hs_err.log");
        String signal = "exit " + child.exitValue();
        if (Files.exists(log)) {
            String frame = "?";
            for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
                Matcher matcher = FRAME.matcher(line);
                if (line.startsWith("#  SIG")) {
                    signal = line.substring(3).replaceFirst(" .*", "");
                } else if (matcher.find() && !line.contains("Problematic")) {
                    frame = line.substring(2).trim();
                    break;
                }
            }
            return signal + " in " + frame.replaceAll("\\s+", " ");
        }
        synchronized (output) {
            return signal + output.stream().filter(l -> l.contains("malloc") || l.contains("free()")
                    || l.contains("ssert") || l.contains("corrupt")).findFirst().map(l -> " " + l).orElse("");
        }
    }

    private void report(Path directory, Options.Choice choice, Outcome outcome, Ring ring) throws IOException {
        StringBuilder text = new StringBuilder().append(outcome.kind()).append(" of ").append(choice).append(", seed ")
                .append(outcome.seed()).append(", after ").append(outcome.calls()).append(" calls\n")
                .append(outcome.symptom()).append("\nagain: scripts/fuzz --provider '").append(choice.provider())
                .append("' --type ").append(choice.type()).append(" --threads ").append(options.threads)
                .append(" --peers ").append(options.peers).append(" --seed ").append(outcome.seed()).append(" --calls ")
                .append(outcome.calls() + 1000)
                .append(again("--skip", "fuzz.skip")).append(again("--more", Options.MORE))
                .append("\n");
        for (int i = 0; i < ring.threads(); i++) {
            text.append("\nThread ").append(i).append(ring.isInside(i) ? ", inside the last call" : "").append(":\n");
            ring.latest(i, LATEST).forEach(line -> text.append("  ").append(line).append('\n'));
            history(ring, i).forEach(line -> text.append("  before: ").append(line).append('\n'));
        }
        text.append("\nOutput:\n");
        synchronized (output) {
            output.forEach(line -> text.append(line).append('\n'));
        }
        Files.writeString(directory.resolve("report.txt"), text);
        Files.deleteIfExists(directory.resolve("big"));
        Files.deleteIfExists(directory.resolve("ring"));
    }

    /** What else was done with the object of the last call: what kills it may have been prepared long before. */
    private static List<String> history(Ring ring, int thread) {
        List<String> all = ring.latest(thread, Integer.MAX_VALUE);
        Matcher last = OBJECT.matcher(all.isEmpty() ? "" : all.getLast());
        if (!last.find()) {
            return List.of();
        }
        Pattern same = Pattern.compile(Pattern.quote(last.group()) + "\\b");
        return all.stream().filter(line -> same.matcher(line).find()).toList();
    }

    private static String again(String option, String property) {
        String value = System.getProperty(property, "");
        return value.isEmpty() ? "" : ' ' + option + " '" + value + '\'';
    }

    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
