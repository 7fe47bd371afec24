// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.launch.JobException;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;

/**
 * Who has come to a fence. PMIx does not tell, so a rank that has waited at one for a while puts a sign that it is
 * there, and one whose deadline has passed looks for those of the others. A fence at which nobody waits for long costs
 * nothing.
 */
final class Attendance {
    /** Users' keys have no colon. */
    private static final String SIGN = "jf:at:";
    private static final byte[] HERE = {1};
    private static final Duration WAIT = Duration.ofSeconds(1);
    /** Those that came last put their sign so much later. */
    private static final Duration LOOK = Duration.ofSeconds(3);
    /** So many threads at a time. */
    private static final int AT_ONCE = 64;
    private static final int MOST_NAMES = 16;

    private final PmixSession session;
    private final Place place;
    private final ExecutorService executor;
    private int fence;

    Attendance(PmixSession session, Place place, ExecutorService executor) {
        this.session = session;
        this.place = place;
        this.executor = executor;
    }

    /** How long to wait before the sign is put. */
    static long patience(Deadline deadline) {
        return Math.min(WAIT.toMillis(), deadline.millis() / 2);
    }

    /** The fences of all ranks have the same numbers, as all come to the same ones. */
    int next() {
        return fence++;
    }

    void here(int number, Deadline deadline) {
        session.put(SIGN + number, HERE, deadline);
        session.commit(deadline);
    }

    /** For the message of a fence that has failed, or whose deadline has passed. */
    String missing(int number) {
        try {
            // the others may ask, too
            here(number, Deadline.in(LOOK));
            return look(number);
        } catch (JobException e) {
            return "who is missing cannot be told: " + e.getMessage();
        }
    }

    private String look(int number) {
        List<Integer> others = IntStream.range(0, place.size()).filter(rank -> rank != place.rank()).boxed().toList();
        List<String> missing = new ArrayList<>();
        int unknown = 0;
        Deadline end = Deadline.in(LOOK.multipliedBy(2));
        for (int from = 0; from < others.size(); from += AT_ONCE) {
            List<Integer> some = others.subList(from, Math.min(others.size(), from + AT_ONCE));
            if (end.passed()) {
                unknown += some.size();
                continue;
            }
            List<Future<Boolean>> answers;
            try {
                answers = some.stream().map(rank -> executor.submit(() -> isHere(rank, number))).toList();
            } catch (RejectedExecutionException e) {
                throw new JobException("the job is closed", e);
            }
            for (int i = 0; i < answers.size(); i++) {
                if (!answer(answers.get(i))) {
                    missing.add("rank " + some.get(i) + " on " + session.hostOf(some.get(i)));
                }
            }
        }
        return text(missing, unknown);
    }

    private boolean isHere(int rank, int number) {
        try {
            session.value(rank, SIGN + number, Deadline.in(LOOK));
            return true;
        } catch (JobException e) {
            return false;
        }
    }

    private static boolean answer(Future<Boolean> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobException("fence: interrupted", e);
        }
    }

    private static String text(List<String> missing, int unknown) {
        if (missing.isEmpty()) {
            return "all ranks that were asked have come, but the launcher does not let them go";
        }
        String names = String.join(", ", missing.subList(0, Math.min(MOST_NAMES, missing.size())));
        return names + (missing.size() > MOST_NAMES ? " and " + (missing.size() - MOST_NAMES) + " more" : "")
                + (missing.size() == 1 ? " has" : " have") + " not come"
                + (unknown > 0 ? ", " + unknown + " others were not asked" : "");
    }
}
