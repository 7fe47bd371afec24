// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.CollectiveGroup;
import io.jfabric.internal.life.FidObject;
import io.jfabric.wait.PollSet;
import io.jfabric.wait.WaitSet;

/**
 * An open object of libfabric ({@code struct fid}).
 *
 * <p>Closing an object closes what was opened from it, in an order that libfabric accepts. Closing again does nothing;
 * every method that needs the open object then throws {@link IllegalStateException}, and those that only tell what it
 * was opened with or from still answer. Any thread may open and close objects, even while others use them.
 */
@SuppressWarnings("deprecation")
public sealed interface FabricObject extends AutoCloseable permits Fabric, Domain, Endpoint, PassiveEndpoint,
        ScalableEndpoint, SharedReceiveContext, SharedTransmitContext, AddressVector, CompletionQueue, Counter,
        EventQueue, MemoryRegion, MulticastGroup, Profile, AddressVectorSet, CollectiveGroup, PollSet, WaitSet,
        FidObject {
    /**
     * Tells whether the object can be used.
     *
     * @return false once it is closed
     */
    boolean isOpen();

    /**
     * Closes the object and everything opened from it ({@code fi_close}).
     *
     * <p>Native memory is never freed while a thread that uses it is inside a native call. Threads that arrive during
     * the close are held back, threads that block in {@code await} are woken, and all others are waited for, up to 10
     * seconds ({@code -Djfabric.closeTimeoutMillis}). A thread whose object is closed then gets an
     * {@link IllegalStateException}; one whose object is still open goes on. An interrupt does not end the wait; the
     * thread stays interrupted. A {@link CompletionHandler} may close anything, including its own queue.
     *
     * <p>If one of several objects cannot be closed, the others still are. The first failure is thrown; the others, and
     * what stays open, are its {@linkplain Throwable#getSuppressed() suppressed exceptions}.
     *
     * @throws FabricException {@code FI_EBUSY} if something else still uses it; it then stays open and can be closed
     *     again later
     * @throws IllegalStateException if a thread does not come out of a native call in time, if a callback of the
     *     provider's calls this, or if it is one of the objects of a node ({@link io.jfabric.async.Node#domain()} and
     *     the like), which are closed with the node; nothing is closed then
     */
    @Override
    void close();

    /**
     * What libfabric can do with the object beyond jfabric's methods.
     *
     * @return the calls that jfabric does not check
     */
    EscapeHatch escapeHatch();
}
