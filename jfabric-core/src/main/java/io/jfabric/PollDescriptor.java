// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * A descriptor and the events to wait for ({@code struct pollfd}).
 *
 * @param fd the descriptor
 * @param events bits of poll(2): 1 is POLLIN, 4 is POLLOUT
 */
public record PollDescriptor(int fd, short events) {
}
