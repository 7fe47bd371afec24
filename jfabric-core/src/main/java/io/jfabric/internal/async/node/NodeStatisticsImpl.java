// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.DomainStatistics;
import io.jfabric.async.NodeStatistics;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Moved;

/** {@link NodeStatistics}. */
public record NodeStatisticsImpl(DomainStatistics domain, int underWayOfProgram, int underWayOfNode, int waiting,
        long bytesSent, long bytesReceived) implements NodeStatistics {
    /** The current state. */
    static NodeStatistics of(DomainStatistics domain, Flow flow, Moved moved) {
        int[] underWay = new int[2];
        flow.eachPosted(operation -> underWay[operation.isOwn() ? 1 : 0]++);
        return new NodeStatisticsImpl(domain, underWay[0], underWay[1], flow.waiting(), moved.sent(), moved.received());
    }

    @Override
    public String toString() {
        return "NodeStatistics[domain=" + domain + ", underWayOfProgram=" + underWayOfProgram + ", underWayOfNode="
                + underWayOfNode + ", waiting=" + waiting + ", bytesSent=" + bytesSent + ", bytesReceived="
                + bytesReceived + "]";
    }
}
