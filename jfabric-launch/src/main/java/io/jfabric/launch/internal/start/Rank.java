// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import io.jfabric.launch.internal.job.Joining;
import io.jfabric.launch.internal.rendezvous.Target;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Hosts;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** One process, here or on another host, whose lines are printed with its rank before them. */
final class Rank {
    /** What LC_ALL was before scripts/launch had this JVM take arguments as UTF-8; empty if it was not set. */
    private static final String CALLERS_LOCALE = System.getProperty("jfabric.launch.locale");
    private static final long LOOK_MILLIS = 20;
    private static final int IDLE_LOOKS = 5;
    private static final int CHUNK = 8192;
    /** What a pipe holds at most, unless root has made it larger. */
    private static final long PIPE = 1 << 20;
    private static final PrintStream OUT = bytes(FileDescriptor.out);
    private static final PrintStream ERR = bytes(FileDescriptor.err);

    /**
     * A program on another host goes on when ssh ends here. But its input ends then, and a process that reads it ends
     * the program, which has the process ID of the shell, and what that has started, if it leads a group as under sshd.
     * It is no child of the program, which may wait for all of its children; and it compares when the program began, as
     * another may have got the ID.
     */
    private static final String WATCH = "( ("
            + " born() { sed 's/.*) //' /proc/$$/stat | cut -d ' ' -f 20; };"
            + " first=$(born);"
            + " while read -r line; do :; done;"
            + " [ \"$(born)\" = \"$first\" ] || exit; trap '' TERM;"
            // the number is nobody else's while this one is in its group
            + " if [ $$ -gt 1 ] && kill -TERM -$$; then sleep 5; kill -KILL -$$; exit; fi; kill -TERM $$;"
            + " for i in 1 2 3 4 5; do sleep 1; [ \"$(born)\" = \"$first\" ] || exit; done;"
            + " kill -KILL $$"
            + " ) <&3 3<&- >/dev/null 2>&1 & )";

    private final int number;
    private final String host;
    private final Process process;
    private final boolean elsewhere;
    private final List<Reader> readers;
    /** What it had started when it was told to end. */
    private List<ProcessHandle> started = List.of();

    private Rank(int number, String host, Process process, boolean elsewhere) {
        this.number = number;
        this.host = host;
        this.process = process;
        this.elsewhere = elsewhere;
        readers = List.of(new Reader(process.getInputStream(), OUT), new Reader(process.getErrorStream(), ERR));
    }

    static Rank start(Plan plan, int number, String rendezvous, String secret, Queue<Rank> ends) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(Joining.LAUNCH, "rendezvous");
        environment.put(Target.RENDEZVOUS, rendezvous);
        environment.put(Target.SERVER, Target.APART);
        environment.put(Target.SIZE, Integer.toString(plan.size()));
        environment.put(Target.RANK, Integer.toString(number));
        String host = plan.host(number);
        ProcessBuilder builder = new ProcessBuilder();
        if (host.isEmpty()) {
            builder.command(plan.program()).environment().putAll(environment);
            builder.environment().put(Target.SECRET, secret);
            // one of another job would be taken before it
            builder.environment().remove(Target.SECRET_FILE);
        } else {
            List<String> command = new ArrayList<>(plan.shell());
            command.add(host);
            command.add(remote(environment, plan.program()));
            builder.command(command);
        }
        if (CALLERS_LOCALE != null) {
            builder.environment().remove("LC_ALL");
            if (!CALLERS_LOCALE.isEmpty()) {
                builder.environment().put("LC_ALL", CALLERS_LOCALE);
            }
        }
        Process process = builder.start();
        Rank rank = new Rank(number, host.isEmpty() ? Hosts.mine() : host, process, !host.isEmpty());
        if (host.isEmpty()) {
            rank.endInput();
        } else {
            rank.tell(secret);
        }
        process.onExit().thenRun(() -> ends.add(rank));
        return rank;
    }

    /** Not in the command line, which everybody on that host can read. */
    private void tell(String secret) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((secret + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // it has ended already: its output and status say more
        }
    }

    private void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // as above
        }
    }

    /** By sh, whatever the user's login shell is. csh expands ! between quotes, too; outside both know a backslash. */
    private static String remote(Map<String, String> environment, List<String> program) {
        return "exec /bin/sh -c " + quote(line(environment, program)).replace("!", "'\\!'");
    }

    private static String line(Map<String, String> environment, List<String> program) {
        return "unset " + Target.SECRET_FILE + " && IFS= read -r " + Target.SECRET + " && export " + Target.SECRET
                + " && cd "
                + quote(System.getProperty("user.dir")) + " && exec 3<&0 </dev/null && " + WATCH + " && exec env "
                + environment.entrySet().stream().map(e -> quote(e.getKey() + "=" + e.getValue()))
                        .collect(Collectors.joining(" "))
                + " " + program.stream().map(Rank::quote).collect(Collectors.joining(" ")) + " 3<&-";
    }

    private static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private static PrintStream bytes(FileDescriptor file) {
        return new PrintStream(new FileOutputStream(file), true, StandardCharsets.UTF_8);
    }

    /** Prints what comes from one of its streams. */
    private final class Reader {
        private final Thread thread;
        /** Whoever reads what is printed may be slow, or have stopped. */
        private volatile boolean printing;
        /** Written by its thread alone. */
        private volatile long printed;

        Reader(InputStream from, PrintStream to) {
            thread = Thread.ofPlatform().daemon().start(() -> copy(from, to));
        }

        private void copy(InputStream from, PrintStream to) {
            // where nobody reads any more the pipe is closed, so that the rank hears of it
            try (from) {
                Lines lines = new Lines(number);
                byte[] some = new byte[CHUNK];
                int count = from.read(some);
                while (count >= 0 && print(lines.add(some, count), to)) {
                    printed = printed + count;
                    count = from.read(some);
                }
                print(lines.rest(), to);
            } catch (IOException e) {
                // ended with the process
            } catch (Throwable e) {
                System.err.println("launch: rank " + number + " on " + host + ": what it prints is lost from here on: "
                        + e);
            }
        }

        /** All at once, so that nothing of another rank gets between. False where nobody reads any more. */
        private boolean print(byte[] lines, PrintStream to) {
            printing = true;
            to.write(lines, 0, lines.length);
            printing = false;
            return !to.checkError();
        }

        /** Until all is printed, or nothing more comes; if not patient, not beyond the deadline in any case. */
        void drain(Deadline deadline, boolean patient) throws InterruptedException {
            long first = printed;
            int idle = 0;
            while (!thread.join(Duration.ofMillis(LOOK_MILLIS))) {
                idle = printing ? 0 : idle + 1;
                // what one that has ended has left is a pipe at most, and there; more is somebody else's
                boolean hasMore = idle < IDLE_LOOKS && printed - first <= PIPE;
                if (deadline.passed() && !(patient && hasMore)) {
                    return;
                }
            }
        }
    }

    int number() {
        return number;
    }

    String host() {
        return host;
    }

    int exitCode() {
        return process.exitValue();
    }

    /**
     * Prints the rest. A grandchild may keep the output open: not beyond the deadline.
     *
     * @param patient whether to wait beyond it for somebody who reads what is printed, and is slow
     */
    void drain(Deadline deadline, boolean patient) {
        try {
            for (Reader reader : readers) {
                reader.drain(deadline, patient);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void terminate() {
        if (elsewhere) {
            // that ends the program, and ssh after it has said its last; a signal would end ssh alone
            endInput();
            return;
        }
        List<ProcessHandle> all = process.descendants().toList();
        // or they are those of whoever has its number now
        started = process.isAlive() ? all : List.of();
        // by its handle, which leaves what it has said to be read; before what it waits for, or it would go on
        process.toHandle().destroy();
        started.forEach(ProcessHandle::destroy);
    }

    /** Also for what it had started. */
    void awaitOrKill(long nanos) {
        long end = System.nanoTime() + nanos;
        awaitOrKill(process.toHandle(), end);
        started.forEach(child -> awaitOrKill(child, end));
    }

    private static void awaitOrKill(ProcessHandle one, long end) {
        try {
            one.onExit().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // below
        }
        // not by the process itself, which would close the streams that are still read
        one.destroyForcibly();
    }
}
