// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How a job is joined. Immutable; {@link #DEFAULT} suits most. */
public final class JobOptions {
    private static final Duration LONGEST = Duration.ofDays(365);

    /** All ways, a minute for each operation, end when a rank is lost, 30 seconds of silence. */
    public static final JobOptions DEFAULT = new JobOptions(List.of(), Duration.ofMinutes(1), WhenLost.END,
            Duration.ofSeconds(30), System.getenv());

    private final List<Way> ways;
    private final Duration deadline;
    private final WhenLost whenLost;
    private final Duration liveness;
    private final Map<String, String> environment;

    private JobOptions(List<Way> ways, Duration deadline, WhenLost whenLost, Duration liveness,
            Map<String, String> environment) {
        Objects.requireNonNull(ways, "ways");
        Objects.requireNonNull(whenLost, "whenLost");
        Objects.requireNonNull(liveness, "liveness");
        Objects.requireNonNull(environment, "environment");
        if (Objects.requireNonNull(deadline, "deadline").isNegative() || deadline.isZero()
                || deadline.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("deadline: " + deadline + " is not between 0 and " + LONGEST);
        }
        if (liveness.compareTo(Duration.ofSeconds(1)) < 0 || liveness.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("liveness: " + liveness + " is not between a second and an hour");
        }
        this.ways = List.copyOf(ways);
        this.deadline = deadline;
        this.whenLost = whenLost;
        this.liveness = liveness;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Tries these ways only. By default all, or the one that the environment variable {@code JFABRIC_LAUNCH} names.
     *
     * @param some in the order in which to try them; none for all
     * @return new options
     */
    public JobOptions withWays(Way... some) {
        return new JobOptions(List.of(some), deadline, whenLost, liveness, environment);
    }

    /**
     * Waits so long.
     *
     * @param longest for joining, and for each operation
     * @return new options
     */
    public JobOptions withDeadline(Duration longest) {
        return new JobOptions(ways, longest, whenLost, liveness, environment);
    }

    /**
     * Chooses what happens when another process is lost.
     *
     * @param what end or report
     * @return new options
     */
    public JobOptions withWhenLost(WhenLost what) {
        return new JobOptions(ways, deadline, what, liveness, environment);
    }

    /**
     * Chooses after how much silence (a machine switched off, a process stopped) the other side of a rendezvous counts
     * as lost. A process that ends is noticed at once.
     *
     * @param silence a second to an hour
     * @return new options
     */
    public JobOptions withLiveness(Duration silence) {
        return new JobOptions(ways, deadline, whenLost, silence, environment);
    }

    /**
     * Takes the launcher's variables from here.
     *
     * @param variables to use instead of those of the process
     * @return new options
     */
    public JobOptions withEnvironment(Map<String, String> variables) {
        return new JobOptions(ways, deadline, whenLost, liveness, variables);
    }

    /** {@return the ways to try, in this order; empty for all, or for the one of {@code JFABRIC_LAUNCH}} */
    public List<Way> ways() {
        return ways;
    }

    /** {@return how long joining, and each operation afterwards, may take} */
    public Duration deadline() {
        return deadline;
    }

    /** {@return what happens when another process is lost} */
    public WhenLost whenLost() {
        return whenLost;
    }

    /** {@return after how much silence the other side of a rendezvous counts as lost} */
    public Duration liveness() {
        return liveness;
    }

    /** {@return what the launcher has set: {@link System#getenv()}, except in tests} */
    public Map<String, String> environment() {
        return environment;
    }

    /** Without the environment: there are secrets among the variables. */
    @Override
    public String toString() {
        return "JobOptions[ways=" + ways + ", deadline=" + deadline + ", whenLost=" + whenLost
                + ", liveness=" + liveness + "]";
    }
}
