// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.DomainStatistics;
import io.jfabric.internal.async.node.NodeStatisticsImpl;

/**
 * What a node has done so far, and has under way. A snapshot: numbers that other threads are changing may be
 * slightly off. From {@link Node#statistics()}.
 *
 * <p>Bytes are those of the node's own operations that have completed, and of calls, which some providers carry without
 * a completion; not of keep-alive messages, nor of what programs do with {@link Node#endpoint()}.
 */
public sealed interface NodeStatistics permits NodeStatisticsImpl {
    /** {@return operations, endpoints and memory regions, including those that the program uses beside the node} */
    DomainStatistics domain();

    /**
     * How many operations that the program has started are with the provider, receives included. One that has failed
     * at its deadline is under way until the provider lets go of it.
     *
     * @return the number, without calls and operations of groups, which are carried by the node's own messages, and
     *     without what the program does with {@link Node#endpoint()}
     */
    int underWayOfProgram();

    /**
     * How many operations of the node's own are with the provider: the messages of calls, groups and
     * {@link KeepAlive}, and the receives for them. There are up to some hundreds of these receives while there is a
     * caller or a service, also where nothing happens.
     *
     * @return the number; with {@link #underWayOfProgram} it adds up to {@link Node#underWay}
     */
    int underWayOfNode();

    /** {@return how many operations wait because the provider or a peer is busy, or a limit is reached} */
    int waiting();

    /** {@return how many bytes there were in sends, writes and operands of atomics} */
    long bytesSent();

    /** {@return how many bytes there were in receives, reads and results of atomics} */
    long bytesReceived();
}
