// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * An arena whose memory is safe to give to a provider: it cannot be closed while an operation of any domain uses it, or
 * while a memory region over it is open. (Any other arena can be: the provider then writes to memory that was freed,
 * and may have another owner by now.) If the provider demands registered memory ({@code FI_MR_LOCAL}), the arena
 * registers it in its own domain, once for many segments.
 *
 * <p>Segments are zero-filled, start on cache lines of their own, larger ones on pages, and may be used by any thread.
 * They are cut from blocks; a block is freed with the arena. Memory is taken from the C heap and does not count against
 * {@code -XX:MaxDirectMemorySize}.
 *
 * <p>An operation is under way until its completion was polled or its endpoint is closed; one that reports no
 * completion (selective completion, counters only) until its endpoint is closed; such a receive on shm until the
 * endpoints of the process that know it are closed, too. The arena of such operations closes after the endpoint, which
 * is the order in which try-with-resources closes an arena that was opened first.
 *
 * <p>What peers have begun to write to a region may go on after the region and the arena are closed, see
 * {@link MemoryRegion}. On such providers, the addresses of an arena that ever had a region with {@code REMOTE_READ} or
 * {@code REMOTE_WRITE} are not used for anything else until those endpoints of the region's domain are closed that were
 * open at that time. The memory itself is given back to the system at once. What this costs is address space, some 8
 * KiB for each allocation of 16 KiB or more, and as much memory as such writes still fill: rather than opening such an
 * arena for each of a million short uses, use the memory of one again when its peers have said that they are done.
 *
 * <p>Closing the domain closes its arenas, after its endpoints and regions; memory that operations of other domains
 * use then is freed later. Closing again does nothing. Thread-safe. What operations use is found out by {@code close};
 * operations pay nothing for it.
 */
public sealed interface FabricArena extends Arena permits FabricArenaImpl {
    /**
     * Allocates zero-filled memory.
     *
     * @param byteSize the size, in bytes
     * @param byteAlignment a power of two
     * @return the segment
     * @throws IllegalArgumentException if the size is negative or the alignment no power of two
     * @throws IllegalStateException if the arena is closed
     * @throws OutOfMemoryError if there is not that much memory
     * @throws FabricException if the provider demands registered memory, but registering it fails
     */
    @Override
    MemorySegment allocate(long byteSize, long byteAlignment);

    /**
     * Closes the arena if nothing uses its memory.
     *
     * @return whether it is closed now; if not, nothing has changed, and {@link #close()} says why
     */
    boolean tryClose();

    /**
     * Closes the arena when nothing uses its memory any more. Makes no progress: another thread must poll the queues
     * that report the operations.
     *
     * @param timeout how long to wait at most; 0 to not wait. The arena of a {@link io.jfabric.async.Node}, which is
     *     closed with that, is not waited for
     * @return whether it is closed now; if not, nothing has changed, and {@link #close()} says why
     * @throws IllegalArgumentException if the timeout is negative
     * @throws FabricException {@code FI_EINTR} if the thread is interrupted, which it stays; the arena then stays open
     */
    boolean tryClose(Duration timeout);

    /**
     * Closes the arena and frees its memory. Does not wait; see {@link #tryClose(Duration)}.
     *
     * @throws IllegalStateException if something still uses its memory; the message says which operations, endpoints
     *     and regions. The arena then stays open
     */
    @Override
    void close();
}
