// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.DomainStatistics;

/**
 * What a node has done so far, and has under way. A snapshot: numbers that other threads are changing may be
 * slightly off.
 *
 * <p>Bytes are those of the node's own operations that have completed, and of calls, which some providers carry without
 * a completion; not of keep-alive messages, nor of what programs do with {@link Node#endpoint()}.
 *
 * @param domain operations, endpoints and memory regions, including those that the program uses beside the node
 * @param waiting operations that wait because the provider or a peer is busy, or a limit is reached
 * @param bytesSent of sends, writes, and operands of atomics
 * @param bytesReceived of receives, reads, and results of atomics
 */
public record NodeStatistics(DomainStatistics domain, int waiting, long bytesSent, long bytesReceived) {
}
