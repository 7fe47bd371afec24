// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All threads, of any process, that had some memory mapped at one time: may one of them still be where it was then?
 * Not if it is over; nor if it waits in the kernel for something to happen, as the provider does nowhere between taking
 * an entry of a queue and committing it; nor if it has run in user mode for half a second since, where the provider
 * takes a millisecond at most. A thread that is stopped, frozen, or waits for a page or the processor may.
 *
 * <p>Before 2.5 the provider waits there after all: for the lock of the sending endpoint. Whoever has that does not
 * sleep. So who may be waiting for a mutex is only elsewhere if all threads of its process sleep; and where that lock
 * is one that spins, before 1.20, who runs may be waiting for it.
 */
final class Bystanders {
    private static final Path PROC = Path.of("/proc");
    /** Half a second, as in proc_pid_stat(5). */
    private static final long LONG_AGO = 50;
    /** With this module the provider copies any length in user mode. */
    private static final boolean COPIES = Files.exists(Path.of("/dev/xpmem"));
    /** Functions of the kernel in which threads wait that have nothing to do. Not those that write: to a log, say. */
    private static final Pattern IDLE = Pattern.compile("(futex_.*|do_futex|ep_poll|do_epoll_wait|hrtimer_nanosleep"
            + "|do_nanosleep|poll_schedule_timeout|do_sys_poll|do_poll|do_select|inet_csk_accept"
            + "|inet_csk_wait_for_connect|sk_wait_data|unix_stream_data_wait|unix_stream_read_generic"
            + "|__skb_wait_for_more_packets|(anon_)?pipe_read|pipe_wait_readable|n_tty_read|eventfd_read"
            + "|signalfd_dequeue|inotify_read|do_sigtimedwait|sigsuspend|do_wait|kernel_wait4|kernel_waitid|do_msgrcv"
            + "|do_semtimedop|__do_semtimedop|io_cqring_wait)(\\..*)?");

    private static final Pattern FUTEX = Pattern.compile("(202|98) \\S+ 0x(\\S+) .*", Pattern.DOTALL);
    private static final int COMMAND = 0x7f;
    /** The command by which glibc waits for conditions and semaphores, and not for mutexes. */
    private static final int FUTEX_WAIT_BITSET = 9;

    /** By process: those that were not seen elsewhere yet. */
    private final Map<String, List<Thread>> threads;
    private final Lock lock;

    /** What the provider waits for when it has taken an entry: another thread of its own process. */
    enum Lock { NONE, MUTEX, SPINNING }

    private enum State { ELSEWHERE, MAY_AWAIT_LOCK, UNKNOWN }

    /** When it began, which tells it from others with its number, and how long it had run in user mode. */
    private record Thread(String place, String start, long ticks) {
    }

    private Bystanders(Map<String, List<Thread>> threads, Lock lock) {
        this.threads = threads;
        this.lock = lock;
    }

    /** The threads with that mapping of this process, but for the calling one. */
    static Bystanders of(long address, Lock lock) throws IOException {
        String file = file(address);
        String self = self();
        Map<String, List<Thread>> all = new HashMap<>();
        for (String process : numbers("")) {
            if (maps(process, file)) {
                List<Thread> threads = new ArrayList<>();
                all.put(process, threads);
                for (String number : numbers(process + "/task")) {
                    String place = process + "/task/" + number;
                    String[] now = ProcessState.fields(place);
                    if (now != null && !place.equals(self)) {
                        threads.add(now.length <= ProcessState.START ? new Thread(place, "", Long.MAX_VALUE)
                                : new Thread(place, now[ProcessState.START], Long.parseLong(now[ProcessState.USER])));
                    }
                }
            }
        }
        return new Bystanders(all, lock);
    }

    private static String self() throws IOException {
        return Files.readSymbolicLink(PROC.resolve("thread-self")).toString();
    }

    /** What maps(5) says of the device and the file of a mapping of this process. */
    private static String file(long address) throws IOException {
        String begin = "%08x-".formatted(address);
        try (Stream<String> lines = lines("self")) {
            String[] fields = lines.filter(line -> line.startsWith(begin)).findFirst()
                    .orElseThrow(() -> new IOException("no mapping at " + begin)).split(" +");
            return " " + fields[3] + " " + fields[4] + " ";
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Stream<String> lines(String place) throws IOException {
        return Files.lines(PROC.resolve(place).resolve("maps"), StandardCharsets.ISO_8859_1);
    }

    private static boolean maps(String process, String file) throws IOException {
        String[] now = ProcessState.fields(process);
        if (now != null && now.length > ProcessState.THREADS && now[0].equals("Z")
                && !now[ProcessState.THREADS].equals("1")) {
            // its first thread has ended, and has no memory any more
            for (String number : numbers(process + "/task")) {
                if (mapsNow(process + "/task/" + number, file)) {
                    return true;
                }
            }
        }
        return mapsNow(process, file);
    }

    private static boolean mapsNow(String place, String file) {
        try (Stream<String> lines = lines(place)) {
            return lines.anyMatch(line -> line.contains(file));
        } catch (IOException | UncheckedIOException goneOrOfOthers) {
            // which could not have opened the file either
            return false;
        }
    }

    /** None if it is gone. */
    private static List<String> numbers(String place) throws IOException {
        List<String> numbers = new ArrayList<>();
        Path folder = PROC.resolve(place);
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "[0-9]*")) {
            found.forEach(number -> numbers.add(number.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            if (Files.exists(folder)) {
                throw new IOException("cannot list " + folder, e);
            }
        }
        return numbers;
    }

    /** Whether none of them may be where it was. To be asked twice: one may wait for another that is seen later. */
    boolean areElsewhere() throws IOException {
        boolean all = true;
        for (Map.Entry<String, List<Thread>> process : threads.entrySet()) {
            all &= areElsewhere(process.getKey(), process.getValue());
        }
        return all;
    }

    /** The processes of those that may, or might at the last look. */
    List<String> suspects() {
        return threads.keySet().stream().filter(process -> !threads.get(process).isEmpty()).sorted().toList();
    }

    private boolean areElsewhere(String process, List<Thread> suspects) throws IOException {
        boolean waits = true;
        for (Thread thread : List.copyOf(suspects)) {
            State state = state(thread);
            if (state == State.ELSEWHERE) {
                suspects.remove(thread);
            }
            waits &= state != State.UNKNOWN;
        }
        return suspects.isEmpty() || waits && allSleep(process);
    }

    private static boolean allSleep(String process) throws IOException {
        String self = self();
        for (String number : numbers(process + "/task")) {
            String place = process + "/task/" + number;
            String[] now = place.equals(self) ? null : ProcessState.fields(place);
            if (now != null && (now.length == 0 || !now[0].equals("S"))) {
                return false;
            }
        }
        return true;
    }

    private State state(Thread thread) {
        String[] now = ProcessState.fields(thread.place);
        if (now == null) {
            return State.ELSEWHERE;
        }
        if (now.length <= ProcessState.START) {
            return State.UNKNOWN;
        }
        boolean hasRun = lock != Lock.SPINNING && !COPIES
                && Long.parseLong(now[ProcessState.USER]) - LONG_AGO >= thread.ticks;
        if (hasRun || !now[ProcessState.START].equals(thread.start) || "ZXx".contains(now[0])) {
            return State.ELSEWHERE;
        }
        return now[0].equals("S") ? asleep(thread.place) : State.UNKNOWN;
    }

    private State asleep(String place) {
        try {
            String function = Files.readString(PROC.resolve(place).resolve("wchan"));
            if (!IDLE.matcher(function).matches()) {
                return State.UNKNOWN;
            }
            return lock == Lock.NONE || !function.contains("futex") || isCondition(place) ? State.ELSEWHERE
                    : State.MAY_AWAIT_LOCK;
        } catch (IOException notToBeSeen) {
            return State.UNKNOWN;
        }
    }

    /** False also where one must not see what others ask of the kernel, as where Yama forbids that. */
    private static boolean isCondition(String place) {
        try {
            Matcher call = FUTEX.matcher(Files.readString(PROC.resolve(place).resolve("syscall")));
            return call.matches() && (Long.parseLong(call.group(2), 16) & COMMAND) == FUTEX_WAIT_BITSET;
        } catch (IOException notToBeSeen) {
            return false;
        }
    }
}
