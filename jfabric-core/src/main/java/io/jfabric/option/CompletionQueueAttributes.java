// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import java.util.Objects;

/** How a completion queue is opened ({@code struct fi_cq_attr}, fi_cq(3)). Immutable. */
public final class CompletionQueueAttributes {
    /** What some providers say for their own sizes: {@code SIZE_MAX}. */
    private static final long NO_LIMIT = -1;

    private final CompletionFormat format;
    private final long size;
    private final WaitObject waitObject;
    private final boolean waitThreshold;
    private final int signalingVector;

    private CompletionQueueAttributes(CompletionFormat format, long size, WaitObject waitObject,
            boolean waitThreshold, int signalingVector) {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(waitObject, "waitObject");
        if (size < 0 && size != NO_LIMIT) {
            throw new IllegalArgumentException("size: " + Long.toUnsignedString(size)
                    + " is more than any queue has; 0 is the provider's default");
        }
        if (waitObject == WaitObject.SET) {
            throw new IllegalArgumentException("waitObject: SET needs a wait set; use FD, UNSPEC or NONE");
        }
        this.format = format;
        this.size = size;
        this.waitObject = waitObject;
        this.waitThreshold = waitThreshold;
        this.signalingVector = signalingVector;
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
     * Changes what is reported for each operation.
     *
     * @param newFormat what is reported
     * @return new attributes
     */
    public CompletionQueueAttributes withFormat(CompletionFormat newFormat) {
        return new CompletionQueueAttributes(newFormat, size, waitObject, waitThreshold, signalingVector);
    }

    /**
     * Changes the size.
     *
     * @param entries entries it must hold; 0, or -1 ({@code SIZE_MAX}), for the provider's default
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
     * Changes whether blocking reads may wait for a number of completions ({@code FI_CQ_COND_THRESHOLD}).
     *
     * @param threshold false for reads that wait for one completion
     * @return new attributes
     */
    public CompletionQueueAttributes withWaitThreshold(boolean threshold) {
        return new CompletionQueueAttributes(format, size, waitObject, threshold, signalingVector);
    }

    /**
     * Binds the interrupts of the queue to a CPU ({@code FI_AFFINITY}).
     *
     * @param cpu the CPU; negative for any
     * @return new attributes
     */
    public CompletionQueueAttributes withSignalingVector(int cpu) {
        return new CompletionQueueAttributes(format, size, waitObject, waitThreshold, cpu);
    }

    /** {@return what is reported for each operation} */
    public CompletionFormat format() {
        return format;
    }

    /** {@return how many entries it must hold; 0, or -1 ({@code SIZE_MAX}), for the provider's default} */
    public long size() {
        return size;
    }

    /** {@return how threads may wait} */
    public WaitObject waitObject() {
        return waitObject;
    }

    /** {@return whether blocking reads may wait for a number of completions} */
    public boolean waitThreshold() {
        return waitThreshold;
    }

    /** {@return the CPU that takes the interrupts; negative for any} */
    public int signalingVector() {
        return signalingVector;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CompletionQueueAttributes a && a.format == format && a.size == size
                && a.waitObject == waitObject && a.waitThreshold == waitThreshold
                && a.signalingVector == signalingVector;
    }

    @Override
    public int hashCode() {
        return Objects.hash(format, size, waitObject, waitThreshold, signalingVector);
    }

    @Override
    public String toString() {
        return "CompletionQueueAttributes[format=" + format + ", size=" + size + ", waitObject=" + waitObject
                + ", waitThreshold=" + waitThreshold + ", signalingVector=" + signalingVector + "]";
    }
}
