// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Fabric;
import io.jfabric.PollDescriptor;
import io.jfabric.Waitable;
import io.jfabric.internal.wait.FdWaiterImpl;
import java.time.Duration;
import java.util.List;

/**
 * Waits until one of several file descriptors is ready (poll(2)). Java's own selectors take no descriptors from
 * elsewhere, hence this.
 *
 * <p>Owns nothing, needs no closing. One thread at a time. A thread that waits does not react to interrupts: use a
 * short timeout, or {@link CompletionQueue#signal()}.
 */
public sealed interface FdWaiter permits FdWaiterImpl {
    /**
     * Waits until there is something to read.
     *
     * @param fds descriptors, such as those of {@link Waitable#fileDescriptor()}
     * @return the waiter
     */
    static FdWaiter of(int... fds) {
        return FdWaiterImpl.of(fds);
    }

    /**
     * Waits for events of your choice.
     *
     * @param descriptors such as those of {@link Waitable#pollDescriptors()}
     * @return the waiter
     */
    static FdWaiter of(List<PollDescriptor> descriptors) {
        return FdWaiterImpl.of(descriptors);
    }

    /**
     * Waits for any of the descriptors (poll(2)). For descriptors of libfabric's only after {@link Fabric#tryWait} has
     * returned true.
     *
     * @param timeout how long; 0 to look only
     * @return how many are ready; 0 if the time is up or a signal arrived
     */
    int await(Duration timeout);

    /**
     * Whether the last {@link #await} found a descriptor ready.
     *
     * @param index its place in the list the waiter was made of
     * @return true also if the descriptor is in error
     */
    boolean isReady(int index);
}
