// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricObject;
import io.jfabric.Waitable;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.internal.wait.WaitSetImpl;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import java.time.Duration;
import java.util.Objects;

/**
 * Queues and counters that threads wait for together (fi_poll(3)). Objects join when they are opened: see
 * {@link #openCompletionQueue} and similar methods. Thread-safe.
 *
 * @deprecated as in libfabric: wait for file descriptors, with {@link FdWaiter}
 */
@Deprecated
public sealed interface WaitSet extends FabricObject, Waitable permits WaitSetImpl {
    /**
     * Opens a wait set ({@code fi_wait_open}).
     *
     * @param fabric the fabric
     * @param object how threads wait, such as {@link WaitObject#UNSPEC}
     * @return the wait set
     * @throws io.jfabric.FabricException {@code FI_ENOSYS} on shm of libfabric 1 and on sockets, where waits might not
     *     end
     */
    static WaitSet open(Fabric fabric, WaitObject object) {
        return WaitSetImpl.open(((FabricImpl) Objects.requireNonNull(fabric, "fabric")).state(),
                Objects.requireNonNull(object, "object"));
    }

    /**
     * Opens a completion queue that threads wait for by this set ({@code FI_WAIT_SET}).
     *
     * @param domain of the same fabric
     * @param attributes format and size; the wait object is the set
     * @return the queue
     */
    CompletionQueue openCompletionQueue(Domain domain, CompletionQueueAttributes attributes);

    /**
     * Opens a counter that threads wait for by this set ({@code FI_WAIT_SET}).
     *
     * @param domain of the same fabric
     * @param attributes what to count; the wait object is the set
     * @return the counter
     */
    Counter openCounter(Domain domain, CounterAttributes attributes);

    /**
     * Opens a queue for control events that threads wait for by this set ({@code FI_WAIT_SET}).
     *
     * @param attributes size; the wait object is the set
     * @return the queue
     */
    EventQueue openEventQueue(EventQueueAttributes attributes);

    /**
     * Waits until one of the objects has something to read ({@code fi_wait}). Waits in slices of 20 ms, between which
     * interrupts and {@link #close()} are noticed. Once an endpoint of one of the objects was closed, some providers
     * (shm, sm2, {@code ofi_rxm}, {@code ofi_rxd}) cannot be asked any more, and lnx never can where all threads may
     * come ({@link io.jfabric.info.Threading#SAFE}): this then returns true after 50 us, and the objects have to be
     * polled.
     *
     * @param timeout how long
     * @return false if the time is up or the thread is interrupted, which it stays
     */
    boolean await(Duration timeout);
}
