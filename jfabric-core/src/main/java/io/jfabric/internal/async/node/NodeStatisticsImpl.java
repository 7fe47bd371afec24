// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.DomainStatistics;
import io.jfabric.async.NodeStatistics;

/** {@link NodeStatistics}. */
public record NodeStatisticsImpl(DomainStatistics domain, int waiting, long bytesSent, long bytesReceived)
        implements NodeStatistics {
    @Override
    public String toString() {
        return "NodeStatistics[domain=" + domain + ", waiting=" + waiting + ", bytesSent=" + bytesSent
                + ", bytesReceived=" + bytesReceived + "]";
    }
}
