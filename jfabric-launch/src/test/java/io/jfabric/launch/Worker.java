// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What the processes of the tests do. The arguments: a scenario, "end" or "report", the deadline in seconds. */
public final class Worker {
    private static final String VICTIM = "1";

    private Worker() {
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 2 ? Long.parseLong(args[2]) : 30;
        WhenLost whenLost = args.length > 1 && args[1].equals("report") ? WhenLost.REPORT : WhenLost.END;
        JobOptions options = JobOptions.DEFAULT.withWhenLost(whenLost).withDeadline(Duration.ofSeconds(seconds))
                .withLiveness(Duration.ofSeconds(List.of("silent", "busy").contains(args[0]) ? 2 : 30));
        if (args[0].equals("before") && VICTIM.equals(System.getenv("PMIX_RANK"))
                || args[0].equals("before") && VICTIM.equals(System.getenv("PMI_RANK"))) {
            killMyself();
        }
        try (Job job = Job.join(options)) {
            say("joined " + job.rank() + "/" + job.size() + " local " + job.localRank() + "/" + job.localSize()
                    + " on " + job.host() + " by " + job.way());
            switch (args[0]) {
                case "talk" -> talk(job);
                case "wait", "silent" -> say("said " + (char) System.in.read());
                case "busy" -> busy(job);
                case "barrier" -> barriers(job);
                case "absent" -> {
                    if (job.rank() == Integer.parseInt(VICTIM)) {
                        Thread.sleep(Duration.ofSeconds(3 * seconds));
                    }
                    job.barrier();
                }
                case "before", "during", "after" -> victim(job, args[0]);
                case "abandoned" -> {
                    if (job.rank() == Integer.parseInt(VICTIM)) {
                        Thread.sleep(Duration.ofSeconds(3 * seconds));
                    }
                    try {
                        job.barrier();
                    } catch (JobException e) {
                        throw job.abort("nobody comes", 42);
                    }
                }
                case "abort" -> {
                    job.barrier();
                    if (job.rank() == 1) {
                        job.abort("it has had enough", 42);
                    }
                    Thread.sleep(Duration.ofSeconds(seconds));
                }
                case "leave" -> { }
                case "close inside" -> closeInside(job);
                case "abort inside" -> {
                    fenceInAnotherThread(job);
                    job.abort("x".repeat(1_000_000), 42);
                }
                case "get, close inside" -> {
                    getWhatComesSecond(job);
                    job.barrier();
                    if (job.rank() == 0) {
                        closeInside(job);
                    } else {
                        Thread.sleep(1500);
                    }
                }
                case "bug" -> bug(job);
                case "hook" -> hooked(job);
                case "missing" -> missing(job);
                case "abort when told" -> {
                    say("said " + (char) System.in.read());
                    job.abort("it has had enough", 42);
                }
                default -> throw new IllegalArgumentException(args[0]);
            }
        } catch (JobException e) {
            say("failed: " + e.getMessage());
            System.exit(3);
        }
    }

    private static void talk(Job job) {
        byte[] large = new byte[5000];
        Arrays.fill(large, (byte) job.rank());
        job.put("large", large);
        // what a way may call a piece of the one above
        job.put("large.1", new byte[] {1});
        job.put("empty", new byte[0]);
        job.commit();
        job.fence();
        int next = (job.rank() + 1) % job.size();
        byte[] theirs = job.get(next, "large");
        List<byte[]> names = job.exchange(("rank " + job.rank()).getBytes(StandardCharsets.UTF_8));
        job.barrier();
        Arrays.fill(large, (byte) next);
        boolean good = Arrays.equals(theirs, large) && Arrays.equals(job.get(next, "large.1"), new byte[] {1})
                && job.get(next, "empty").length == 0;
        for (int rank = 0; rank < job.size(); rank++) {
            good &= new String(names.get(rank), StandardCharsets.UTF_8).equals("rank " + rank);
        }
        say(good ? "ok" : "wrong");
    }

    /** What nobody puts, and then what all put. */
    private static void missing(Job job) {
        try {
            job.get(0, "nothing");
        } catch (JobException e) {
            say(e.getMessage());
        }
        job.put("later", new byte[] {1});
        job.commit();
        job.barrier();
        say("then " + job.get(job.size() - 1, "later").length);
    }

    /** The JVM has one carrier of virtual threads. */
    private static void busy(Job job) throws InterruptedException {
        if (job.rank() == 0) {
            long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            Thread.ofVirtual().start(() -> {
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
            }).join();
        }
        job.barrier();
        say("ok");
    }

    /** Its job is closed by a hook. */
    private static void hooked(Job job) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            job.close();
            say("closed by the hook");
        }));
        job.onLost(lost -> System.exit(9));
        say("hooked");
        Thread.sleep(job.options().deadline());
    }

    /** To which the others do not come. */
    private static Thread fenceInAnotherThread(Job job) throws InterruptedException {
        Thread fence = Thread.ofPlatform().daemon().start(() -> {
            try {
                job.fence();
            } catch (RuntimeException e) {
                say(e.getMessage());
            }
        });
        Thread.sleep(300);
        return fence;
    }

    private static void closeInside(Job job) throws InterruptedException {
        Thread fence = fenceInAnotherThread(job);
        job.close();
        fence.join();
        say("closed");
    }

    /** The other rank commits something else while it is waited for. */
    private static void getWhatComesSecond(Job job) throws InterruptedException {
        job.barrier();
        if (job.rank() == 0) {
            say("second " + job.get(1, "second").length);
            return;
        }
        for (String key : List.of("first", "second")) {
            Thread.sleep(500);
            job.put(key, new byte[] {1});
            job.commit();
        }
    }

    /** Of one rank, whose job is closed on the way out; the others hear of it without asking. */
    private static void bug(Job job) throws Exception {
        CompletableFuture<LostRank> lost = new CompletableFuture<>();
        job.onLost(lost::complete);
        job.barrier();
        if (job.rank() == Integer.parseInt(VICTIM)) {
            throw new IllegalStateException("a bug");
        }
        say("lost " + lost.get(job.options().deadline().toSeconds(), TimeUnit.SECONDS));
        job.barrier();
        say("ok");
    }

    private static void killMyself() throws Exception {
        new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).inheritIO().start();
        Thread.sleep(Duration.ofSeconds(60));
    }

    /** One is killed while the others wait for it in an exchange, or after one. */
    private static void victim(Job job, String when) throws Exception {
        job.onLost(lost -> say("lost " + lost));
        if (when.equals("after")) {
            job.exchange(new byte[10]);
        }
        if (job.rank() == Integer.parseInt(VICTIM)) {
            killMyself();
        }
        say("waits");
        job.exchange(new byte[10]);
        say("goes on");
    }

    /** Goes on without those that are lost. */
    private static void barriers(Job job) throws InterruptedException {
        job.onLost(lost -> say("lost " + lost));
        for (int i = 0; i < 3; i++) {
            say("at " + i);
            try {
                job.barrier();
            } catch (JobException e) {
                say("interrupted: " + e.getMessage() + " lost=" + e.lost().map(LostRank::rank).orElse(-2));
                job.barrier();
            }
            say("after " + i);
        }
        say("ok");
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
