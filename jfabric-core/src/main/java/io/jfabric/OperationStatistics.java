// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.Objects;

/**
 * Counts of the operations of an endpoint, or of all endpoints of a domain. A snapshot: numbers that other threads are
 * changing may be slightly off.
 *
 * <p>Only operations that a completion queue reports are counted. Operations that report nothing (inject, triggered and
 * deferred operations, and with {@link io.jfabric.option.BindFlag#SELECTIVE_COMPLETION} those that do not ask for a
 * completion) are not. Bytes are not counted at this level, as that would make each operation more expensive.
 *
 * @param posted operations that the provider took
 * @param completed those of them whose completion or error was read from a queue; for a multi-receive buffer its last
 * @param errors those of the completed ones that ended with an error; cancelled ones, by the program or by jfabric, do
 *     not count
 * @param busy how often the provider did not take an operation but said "again": a post that returned false
 * @param underWay operations that the provider has, posted receives among them
 */
public record OperationStatistics(long posted, long completed, long errors, long busy, long underWay) {
    /** Nothing has happened. */
    public static final OperationStatistics NONE = new OperationStatistics(0, 0, 0, 0, 0);

    /**
     * Both together.
     *
     * @param other others
     * @return the sums
     */
    public OperationStatistics plus(OperationStatistics other) {
        Objects.requireNonNull(other, "OperationStatistics.plus: the other is null");
        return new OperationStatistics(posted + other.posted, completed + other.completed, errors + other.errors,
                busy + other.busy, underWay + other.underWay);
    }
}
