// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.queue.NativeWaitable;
import io.jfabric.option.WaitObject;
import io.jfabric.wait.WaitSet;
import java.util.List;

/**
 * An object that threads can wait for: a queue, a counter or a wait set. What it offers for that depends on the
 * {@link WaitObject} it was opened with, and on the provider.
 *
 * <p>Before a thread blocks on anything that these methods hand out, {@link Fabric#tryWait} must have said that it
 * may: an event that is there already may never make the descriptor readable.
 */
@SuppressWarnings("deprecation")
public sealed interface Waitable permits CompletionQueue, Counter, EventQueue, WaitSet, NativeWaitable {
    /**
     * How threads wait for this object ({@code FI_GETWAITOBJ}).
     *
     * @return the provider's choice for one opened with {@link WaitObject#UNSPEC}, where the provider tells
     */
    WaitObject waitObject();

    /**
     * The descriptor that becomes readable when there is something to read ({@code FI_GETWAIT}). Belongs to libfabric:
     * wait for it, for example by {@link io.jfabric.wait.FdWaiter}, but do not read or close it.
     *
     * @return for poll(2) and epoll(7); valid until the object is closed
     * @throws FabricException {@code FI_ENOSYS} if the object was not opened with {@link WaitObject#FD}, or the
     *     provider has no descriptor for it
     */
    int fileDescriptor();

    /**
     * The descriptors of an object opened with {@link WaitObject#POLLFD} ({@code FI_GETWAIT},
     * {@code struct fi_wait_pollfd}). They change when endpoints are bound or connected.
     *
     * @return what to give to poll(2)
     * @throws FabricException {@code FI_ENOSYS} if the object was not opened that way, or the provider has none
     */
    List<PollDescriptor> pollDescriptors();

    /**
     * The mutex and the condition of an object opened with {@link WaitObject#MUTEX_COND} ({@code FI_GETWAIT},
     * {@code struct fi_mutex_cond}).
     *
     * @return addresses, for native code
     * @throws FabricException {@code FI_ENOSYS} if the object was not opened that way, or the provider has none
     * @deprecated as in libfabric: wait for {@link #fileDescriptor()}
     */
    @Deprecated
    MutexCondition mutexCondition();

    /**
     * What the object was opened with.
     *
     * @return the wait object asked for
     */
    WaitObject requestedWaitObject();
}
