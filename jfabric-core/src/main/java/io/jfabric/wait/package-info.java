// SPDX-License-Identifier: Apache-2.0
/**
 * Waiting for several objects at once.
 *
 * <p>{@link io.jfabric.wait.FdWaiter} waits for the file descriptors of queues and counters;
 * {@link io.jfabric.Fabric#tryWait} says before that whether it is safe to. Poll sets and wait sets are libfabric's own
 * ways, which it deprecates.
 * {@snippet :
 * CompletionQueue waited = domain.openCompletionQueue(
 *         CompletionQueueAttributes.of(CompletionFormat.MSG).withWaitObject(WaitObject.FD));
 * FdWaiter waiter = FdWaiter.of(waited.fileDescriptor());
 * while (waited.poll(handler, 16) == 0) {
 *     if (fabric.tryWait(waited)) {                          // false: something has arrived meanwhile
 *         waiter.await(Duration.ofSeconds(1));
 *     }
 * }
 * }
 */
@NullMarked
package io.jfabric.wait;

import org.jspecify.annotations.NullMarked;
