// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import java.util.Objects;

/**
 * How a completion queue is opened ({@code struct fi_cq_attr}, fi_cq(3)). Immutable.
 *
 * @param format what is reported for each operation
 * @param size entries it must hold; 0, or -1 ({@code SIZE_MAX}), for the provider's default
 * @param waitObject how threads may wait
 * @param waitThreshold whether blocking reads wait for a number of completions
 * @param signalingVector CPU that takes the interrupts; negative for any
 */
public record CompletionQueueAttributes(CompletionFormat format, long size, WaitObject waitObject,
        boolean waitThreshold, int signalingVector) {
    /** What some providers say for their own sizes: {@code SIZE_MAX}. */
    private static final long NO_LIMIT = -1;

    /** Checks the ranges. */
    public CompletionQueueAttributes {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(waitObject, "waitObject");
        if (size < 0 && size != NO_LIMIT) {
            throw new IllegalArgumentException("size: " + Long.toUnsignedString(size)
                    + " is more than any queue has; 0 is the provider's default");
        }
        if (waitObject == WaitObject.SET) {
            throw new IllegalArgumentException("waitObject: SET needs a wait set; use FD, UNSPEC or NONE");
        }
    }

    /**
     * The provider's default size, for polling.
     *
     * @param format what is reported
     * @return the attributes
     */
    public static CompletionQueueAttributes of(CompletionFormat format) {
        return new CompletionQueueAttributes(format, 0, WaitObject.NONE, false, -1);
    }

    /**
     * Changes the size.
     *
     * @param entries entries it must hold
     * @return new attributes
     */
    public CompletionQueueAttributes withSize(long entries) {
        return new CompletionQueueAttributes(format, entries, waitObject, waitThreshold, signalingVector);
    }

    /**
     * Changes the wait object.
     *
     * @param object how threads may wait
     * @return new attributes
     */
    public CompletionQueueAttributes withWaitObject(WaitObject object) {
        return new CompletionQueueAttributes(format, size, object, waitThreshold, signalingVector);
    }

    /**
     * Lets blocking reads wait for a number of completions ({@code FI_CQ_COND_THRESHOLD}).
     *
     * @return new attributes
     */
    public CompletionQueueAttributes withWaitThreshold() {
        return new CompletionQueueAttributes(format, size, waitObject, true, signalingVector);
    }

    /**
     * Binds the interrupts of the queue to a CPU ({@code FI_AFFINITY}).
     *
     * @param cpu the CPU
     * @return new attributes
     */
    public CompletionQueueAttributes withSignalingVector(int cpu) {
        return new CompletionQueueAttributes(format, size, waitObject, waitThreshold, cpu);
    }
}
