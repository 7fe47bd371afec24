// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import io.jfabric.launch.JobException;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Gathering;
import io.jfabric.launch.internal.session.Place;
import io.jfabric.launch.internal.session.Session;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job over PMI-1 or PMI-2. Values are text of limited length there, so they go as Base64 in pieces; keys are common
 * to all ranks, so they begin with the rank.
 */
public final class PmiSession implements Session {
    /** The file descriptor of the connection to the launcher. */
    public static final String FD = "PMI_FD";
    private static final int PAUSE_MILLIS = 20;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    /** For an answer that the launcher gives at once, though it is asked just before the deadline. */
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final String CLOSED = ": the job is closed";

    private final Dialect dialect;
    private final Place place;
    private final Map<String, byte[]> uncommitted = new LinkedHashMap<>();
    private final Gathering gathering = new Gathering();
    private String broken;
    private volatile boolean closing;

    /** Something to say to the launcher. */
    private interface Talk<T> {
        T talk() throws IOException;
    }

    private PmiSession(Dialect dialect, Deadline deadline) {
        this.dialect = dialect;
        this.place = say("join", () -> dialect.init(deadline));
        if (place.rank() < 0 || place.rank() >= place.size()) {
            throw new JobException("join: the launcher says that this is rank " + place.rank() + " of " + place.size()
                    + " (PMI_RANK, PMI_SIZE)");
        }
    }

    public static PmiSession join(boolean second, Map<String, String> environment, Deadline deadline) {
        Fd fd = new Fd(number(environment, FD));
        return new PmiSession(second ? new Pmi2(fd, environment) : new Pmi1(fd, environment), deadline);
    }

    static int number(Map<String, String> environment, String name) {
        try {
            int value = Integer.parseInt(environment.getOrDefault(name, ""));
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a negative one
        }
        throw new JobException("join: the launcher has set " + FD + ", but " + name + "=" + environment.get(name)
                + " is not a number from 0 to " + Integer.MAX_VALUE);
    }

    /** The first that is set, or -1. */
    static int local(Map<String, String> environment, String... names) {
        for (String name : names) {
            if (environment.containsKey(name)) {
                return number(environment, name);
            }
        }
        return -1;
    }

    /** One dialogue at a time. After a failure nobody knows whose answer comes next, so it is the last. */
    private synchronized <T> T say(String what, Talk<T> talk) {
        if (closing) {
            throw new JobException(what + CLOSED);
        }
        if (broken != null) {
            throw new JobException(what + ": the dialogue with the launcher has ended with " + broken);
        }
        try {
            return talk.talk();
        } catch (IOException e) {
            broken = what + ": " + e.getMessage();
            throw new JobException(broken, e);
        }
    }

    @Override
    public Place place() {
        return place;
    }

    @Override
    public synchronized void put(String key, byte[] value, Deadline deadline) {
        uncommitted.put(key, value.clone());
    }

    @Override
    public synchronized void commit(Deadline deadline) {
        say("commit", () -> {
            for (Map.Entry<String, byte[]> entry : uncommitted.entrySet()) {
                putInPieces(entry.getKey(), entry.getValue(), forAnswer(deadline));
            }
            return null;
        });
        uncommitted.clear();
    }

    private void putInPieces(String key, byte[] value, Deadline deadline) throws IOException {
        List<String> pieces = Pieces.of(value);
        for (int i = 0; i < pieces.size(); i++) {
            dialect.put(name(place.rank(), key, i), pieces.get(i), deadline);
        }
    }

    /** Keys may have dots and digits at their end. */
    private static String name(int rank, String key, int piece) {
        return "jf." + rank + "." + piece + "." + key;
    }

    @Override
    public void fence(Deadline deadline) {
        say("fence", () -> {
            try {
                if (!dialect.fence(() -> closing, deadline)) {
                    throw new JobException("fence" + CLOSED);
                }
            } catch (SocketTimeoutException e) {
                throw new IOException("within " + deadline + " not all of the " + place.size()
                        + " ranks have come; PMI does not tell which", e);
            }
            return null;
        });
    }

    @Override
    public byte[] get(int rank, String key, Deadline deadline) {
        List<String> pieces = new ArrayList<>(List.of(await(rank, key, 0, deadline)));
        try {
            int count = Pieces.count(pieces.getFirst());
            while (pieces.size() < count) {
                pieces.add(await(rank, key, pieces.size(), deadline));
            }
            return Pieces.together(pieces);
        } catch (IllegalArgumentException e) {
            throw new JobException("get: what rank " + rank + " has committed as \"" + key
                    + "\" is not jfabric's: " + e.getMessage(), e);
        }
    }

    /** An answer that comes late would be taken for the next one: only a launcher that does not answer is given up. */
    private static Deadline forAnswer(Deadline deadline) {
        return deadline.millis() > ANSWER.toMillis() ? deadline : Deadline.in(ANSWER);
    }

    private String await(int rank, String key, int piece, Deadline deadline) {
        while (true) {
            String value = say("get", () -> dialect.get(name(rank, key, piece), forAnswer(deadline)));
            if (value != null) {
                return value;
            }
            if (deadline.passed()) {
                throw new JobException("get: \"" + key + "\" of rank " + rank + " is not there within " + deadline
                        + "; PMI passes on what was committed before a fence, after it");
            }
            try {
                deadline.pause(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobException("get: interrupted", e);
            }
        }
    }

    @Override
    public List<byte[]> gather(byte[] mine, Deadline deadline) {
        return gathering.gather(this, mine, deadline);
    }

    @Override
    public void abort(String message, int exitCode) {
        try {
            // another thread may be in the middle of a dialogue, or it has ended badly
            dialect.abort(message, exitCode, Deadline.in(LAST_WORDS));
        } catch (IOException e) {
            throw new JobException("abort: " + e.getMessage(), e);
        }
    }

    @Override
    public void close(Deadline deadline) {
        // before there is a lock to be had: another thread may wait in a fence
        closing = true;
        finish(deadline);
    }

    private synchronized void finish(Deadline deadline) {
        if (broken == null) {
            try {
                dialect.finish(deadline);
            } catch (IOException e) {
                broken = "close: " + e.getMessage();
                throw new JobException(broken, e);
            }
        }
    }
}
