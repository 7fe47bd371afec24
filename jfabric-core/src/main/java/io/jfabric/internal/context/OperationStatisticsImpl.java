// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.OperationStatistics;

/** {@link OperationStatistics}. */
public record OperationStatisticsImpl(long posted, long completed, long errors, long busy, long underWay)
        implements OperationStatistics {
    /** Nothing has happened. */
    public static final OperationStatistics NONE = new OperationStatisticsImpl(0, 0, 0, 0, 0);

    /** The sum of both. */
    static OperationStatistics sum(OperationStatistics a, OperationStatistics b) {
        return new OperationStatisticsImpl(a.posted() + b.posted(), a.completed() + b.completed(),
                a.errors() + b.errors(), a.busy() + b.busy(), a.underWay() + b.underWay());
    }

    @Override
    public String toString() {
        return "OperationStatistics[posted=" + posted + ", completed=" + completed + ", errors=" + errors + ", busy="
                + busy + ", underWay=" + underWay + "]";
    }
}
