// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.context.OperationStatisticsImpl;

/**
 * Counts of the operations of an endpoint, or of all endpoints of a domain. A snapshot: numbers that other threads are
 * changing may be slightly off.
 *
 * <p>Only operations that a completion queue reports are counted. Operations that report nothing (inject, triggered and
 * deferred operations, and with {@link io.jfabric.option.BindFlag#SELECTIVE_COMPLETION} those that do not ask for a
 * completion) are not, except on udp, which reports all messages. Bytes are not counted at this level, as that would
 * make each operation more expensive.
 */
public sealed interface OperationStatistics permits OperationStatisticsImpl {
    /** {@return how many operations the provider took} */
    long posted();

    /**
     * How many of them are over: their completion or error was read from a queue.
     *
     * @return the number; a multi-receive buffer counts with its last completion
     */
    long completed();

    /**
     * How many of the completed ones ended with an error.
     *
     * @return the number, without those that were cancelled by the program or by jfabric
     */
    long errors();

    /** {@return how often the provider did not take an operation but said "again": a post that returned false} */
    long busy();

    /** {@return how many operations the provider has, posted receives among them} */
    long underWay();
}
