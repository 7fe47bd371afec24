// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.Objects;

/**
 * What the operations of an endpoint, or of all endpoints of a domain, have come to. A snapshot: numbers that other
 * threads change meanwhile may be off by what they just do.
 *
 * <p>Counted is what a completion queue reports. Operations that report nothing (inject, operations of a queue with
 * {@link io.jfabric.option.BindFlag#SELECTIVE_COMPLETION} that do not ask for a completion, triggered and deferred
 * ones) cost no count. Bytes are not counted at this level, as that would make each operation dearer.
 *
 * @param posted operations that the provider took
 * @param completed of these, those whose completion or error was read from a queue; of a multi-receive buffer the last
 * @param errors of these, those that ended with an error; those that were cancelled, by the program or by jfabric, did
 *     not
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
