// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.launch.JobException;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Gathering;
import io.jfabric.launch.internal.session.Hosts;
import io.jfabric.launch.internal.session.Place;
import io.jfabric.launch.internal.session.Session;
import io.jfabric.launch.internal.session.Watcher;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A job over PMIx. */
public final class PmixSession implements Session {
    /** What comes at most as one value. */
    private static final long LONGEST_VALUE = 1 << 30;
    private static final long LONGEST_NAME = 1024;
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 20;
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration UNTIL_WATCHED = Duration.ofSeconds(1);

    private final PmixLibrary library;
    private final Gathering gathering = new Gathering();
    private final ExecutorService executor = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("jfabric-pmix-", 0).factory());
    private final Calls calls = new Calls(executor);
    private final String space;
    private final Place place;
    private final Attendance attendance;
    private final PmixEvents events;
    private volatile String[] hosts = {};
    private boolean left;

    private PmixSession(PmixLibrary library, Watcher watcher, Deadline deadline) {
        this.library = library;
        MemorySegment proc = Structs.allocate(Arena.ofAuto(), Structs.PROC);
        check("join", calls.answer("join", deadline, arena -> library.init(proc)));
        space = proc.getString(0);
        int rank = Structs.rank(proc);
        place = new Place(rank, number(Structs.WILDCARD, Structs.JOB_SIZE, deadline),
                number(rank, Structs.LOCAL_RANK, deadline), number(Structs.WILDCARD, Structs.LOCAL_SIZE, deadline),
                space);
        if (place.size() < 1) {
            throw new JobException("join: the launcher has not told PMIx how many ranks there are");
        }
        if (place.size() == 1) {
            // there is no exchange of the hosts then
            hosts = new String[] {Hosts.mine()};
        }
        attendance = new Attendance(this, place, executor);
        events = new PmixEvents(library, watcher, executor, this::hostOf);
    }

    public static PmixSession join(Watcher watcher, Map<String, String> environment, Deadline deadline) {
        return new PmixSession(new PmixLibrary(environment), watcher, deadline);
    }

    /** As the ranks have told, or the launcher, who knows it before they come. */
    String hostOf(int rank) {
        String[] known = hosts;
        if (rank >= 0 && rank < known.length) {
            return known[rank];
        }
        String[] name = {"an unknown host"};
        if (rank >= 0) {
            try {
                ask(rank, Structs.HOSTNAME, Deadline.in(ANSWER), value -> {
                    if (Structs.is(Structs.STRING, value)) {
                        MemorySegment text = Structs.data(value);
                        name[0] = text.reinterpret(LONGEST_NAME).getString(0);
                        library.free(text);
                    }
                });
            } catch (JobException silent) {
                // for messages, which must not fail
            }
        }
        return name[0];
    }

    private void check(String what, int status) {
        if (status != Structs.SUCCESS) {
            throw new JobException(what + ": PMIx says " + library.text(status));
        }
    }

    /** -1 if the launcher has no such. */
    private int number(int rank, String key, Deadline deadline) {
        int[] number = {-1};
        ask(rank, key, deadline, value -> number[0] = Structs.number(value).orElse(-1));
        return number[0];
    }

    /** What the launcher knows of a rank. */
    private void ask(int rank, String key, Deadline deadline, Consumer<MemorySegment> answer) {
        calls.answer("what the launcher knows of rank " + rank, deadline, arena -> {
            MemorySegment result = Structs.allocate(arena, Long.BYTES);
            int status = library.get(Structs.proc(arena, space, rank), Structs.text(arena, key), MemorySegment.NULL, 0,
                    result);
            if (status == Structs.SUCCESS) {
                MemorySegment value = Structs.value(result);
                answer.accept(value);
                library.free(value);
            }
            return status;
        });
    }

    @Override
    public Place place() {
        return place;
    }

    @Override
    public void put(String key, byte[] value, Deadline deadline) {
        check("put", calls.answer("put", deadline,
                arena -> library.put(Structs.text(arena, key), Structs.bytes(arena, value))));
    }

    @Override
    public void commit(Deadline deadline) {
        check("commit", calls.answer("commit", deadline, arena -> library.commit()));
    }

    @Override
    public void fence(Deadline deadline) {
        int number = attendance.next();
        Calls.Call call = calls.start("fence", true, arena -> {
            MemorySegment infos = Structs.infos(arena, 2);
            Structs.collectData(infos, 0);
            // longer than here: a launcher may end the job when it is over, and tell less
            Structs.timeout(infos, 1, deadline.millis() + GRACE.toMillis());
            return library.fence(Structs.proc(arena, space, Structs.WILDCARD), 1, infos, 2);
        });
        int status;
        try {
            status = Calls.result("fence", call, Attendance.patience(deadline));
        } catch (TimeoutException e) {
            attendance.here(number, deadline);
            status = await(call, number, deadline);
        }
        if (status != Structs.SUCCESS) {
            throw new JobException("fence: PMIx says " + library.text(status) + "; " + attendance.missing(number));
        }
    }

    private int await(Calls.Call call, int number, Deadline deadline) {
        try {
            return Calls.result("fence", call, deadline.millis());
        } catch (TimeoutException e) {
            throw new JobException("fence: within " + deadline + " " + attendance.missing(number), e);
        }
    }

    @Override
    public byte[] get(int rank, String key, Deadline deadline) {
        try {
            return value(rank, key, deadline);
        } catch (JobException e) {
            throw new JobException("get \"" + key + "\" of rank " + rank + " on " + hostOf(rank) + ": "
                    + e.getMessage(), e);
        }
    }

    /** PMIx asks once: it gives up when the rank commits something else meanwhile. */
    byte[] value(int rank, String key, Deadline deadline) {
        while (true) {
            byte[][] bytes = new byte[1][];
            int status = ask(rank, key, deadline, bytes);
            if (status != Structs.NOT_FOUND) {
                check("PMIx_Get", status);
                if (bytes[0] == null) {
                    throw new JobException("it is not what jfabric puts");
                }
                return bytes[0];
            }
            if (deadline.passed()) {
                throw new JobException("it is not there within " + deadline);
            }
            try {
                deadline.pause(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobException("interrupted", e);
            }
        }
    }

    private int ask(int rank, String key, Deadline deadline, byte[][] bytes) {
        return calls.waiting("PMIx_Get", deadline, arena -> {
            MemorySegment infos = Structs.infos(arena, 1);
            Structs.timeout(infos, 0, deadline.millis());
            MemorySegment result = Structs.allocate(arena, Long.BYTES);
            int got = library.get(Structs.proc(arena, space, rank), Structs.text(arena, key), infos, 1, result);
            if (got == Structs.SUCCESS) {
                bytes[0] = take(Structs.value(result));
            }
            return got;
        });
    }

    /** Null if it is no value of ours. */
    private byte[] take(MemorySegment value) {
        byte[] bytes = null;
        if (Structs.is(Structs.BYTE_OBJECT, value)) {
            MemorySegment data = Structs.data(value);
            long size = Structs.size(value);
            if (size >= 1 && size <= LONGEST_VALUE) {
                bytes = Structs.copy(data, (int) size);
            }
            library.free(data);
        }
        library.free(value);
        return bytes;
    }

    @Override
    public List<byte[]> gather(byte[] mine, Deadline deadline) {
        List<byte[]> all = gathering.gather(this, mine, deadline);
        if (hosts.length == 0) {
            // the first exchange is that of the hosts
            hosts = all.stream().map(host -> new String(host, StandardCharsets.UTF_8)).toArray(String[]::new);
            executor.execute(this::watch);
        }
        return all;
    }

    /**
     * Not before all have met, as what is needed to be called by PMIx costs each of them a tenth of its start. Until
     * then, deadlines tell who is lost.
     */
    private void watch() {
        try {
            Thread.sleep(UNTIL_WATCHED);
        } catch (InterruptedException e) {
            // then at once
        }
        synchronized (events) {
            if (!left) {
                events.register();
            }
        }
    }

    @Override
    public void abort(String message, int exitCode) {
        try (Arena arena = Arena.ofConfined()) {
            library.abort(exitCode, Structs.text(arena, message));
        }
    }

    @Override
    public void close(Deadline deadline) {
        try {
            calls.last("close", deadline, arena -> {
                synchronized (events) {
                    left = true;
                    return library.finish();
                }
            });
        } finally {
            executor.shutdown();
        }
    }
}
