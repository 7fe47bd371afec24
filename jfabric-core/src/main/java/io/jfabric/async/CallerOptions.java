// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.ffi.Arguments;
import java.time.Duration;
import java.util.Objects;

/** How a {@link Caller} is opened. Immutable. */
public final class CallerOptions {
    /** 1,024 calls under way, 16,384 waiting; 30 seconds; answers of up to 1 GiB. */
    public static final CallerOptions DEFAULT = new CallerOptions(1024, 1 << 14, Duration.ofSeconds(30), 1 << 30);

    private final int window;
    private final int backlog;
    private final Duration deadline;
    private final long largestAnswer;

    private CallerOptions(int window, int backlog, Duration deadline, long largestAnswer) {
        Arguments.range("window", window, 1, 65_536);
        if (backlog < 0) {
            throw new IllegalArgumentException("backlog: " + backlog + " is negative");
        }
        if (largestAnswer < 0) {
            throw new IllegalArgumentException("largestAnswer: " + largestAnswer + " is negative");
        }
        this.window = window;
        this.backlog = backlog;
        this.deadline = Arguments.deadline(deadline, "CallerOptions", "the deadline");
        this.largestAnswer = largestAnswer;
    }

    /**
     * Changes how many calls may be under way; the service may allow fewer. Each needs 4 KiB of memory, and
     * some 30 bytes of heap.
     *
     * @param calls 1 to 65,536
     * @return new options
     */
    public CallerOptions withWindow(int calls) {
        return new CallerOptions(calls, backlog, deadline, largestAnswer);
    }

    /**
     * Changes how many calls may wait for a place in the window; further ones are refused at once. A call waits at most
     * for as long as the service needs for backlog and window, so this bounds latency under overload. A program that
     * starts a million threads with one call each needs a million.
     *
     * @param calls 0 or more
     * @return new options
     */
    public CallerOptions withBacklog(int calls) {
        return new CallerOptions(window, calls, deadline, largestAnswer);
    }

    /**
     * Changes how long a call may take unless it has a deadline of its own. {@link Caller} says how punctual that is.
     *
     * @param duration more than 0; {@link NodeOptions#NO_DEADLINE} for no limit
     * @return new options
     */
    public CallerOptions withDeadline(Duration duration) {
        return new CallerOptions(window, backlog, duration, largestAnswer);
    }

    /**
     * Changes how long answers may be; longer ones are not accepted.
     *
     * @param bytes 0 or more
     * @return new options
     */
    public CallerOptions withLargestAnswer(long bytes) {
        return new CallerOptions(window, backlog, deadline, bytes);
    }

    /** {@return how many calls may be under way, 1 to 65,536} */
    public int window() {
        return window;
    }

    /** {@return how many calls may wait for a place in the window, 0 or more} */
    public int backlog() {
        return backlog;
    }

    /** {@return how long a call may take unless it has a deadline of its own, more than 0} */
    public Duration deadline() {
        return deadline;
    }

    /** {@return the longest answer that is accepted, in bytes, 0 or more} */
    public long largestAnswer() {
        return largestAnswer;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CallerOptions a && a.window == window && a.backlog == backlog
                && a.deadline.equals(deadline) && a.largestAnswer == largestAnswer;
    }

    @Override
    public int hashCode() {
        return Objects.hash(window, backlog, deadline, largestAnswer);
    }

    @Override
    public String toString() {
        return "CallerOptions[window=" + window + ", backlog=" + backlog + ", deadline=" + deadline
                + ", largestAnswer=" + largestAnswer + "]";
    }
}
