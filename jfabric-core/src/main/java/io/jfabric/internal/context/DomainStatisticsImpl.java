// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.DomainStatistics;
import io.jfabric.OperationStatistics;

/** {@link DomainStatistics}. */
public record DomainStatisticsImpl(OperationStatistics operations, int endpoints, long regions, long registeredBytes)
        implements DomainStatistics {
    @Override
    public String toString() {
        return "DomainStatistics[operations=" + operations + ", endpoints=" + endpoints + ", regions=" + regions
                + ", registeredBytes=" + registeredBytes + "]";
    }
}
