// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A last element for every receive: reserved address space that no message fills. The shm provider's poll never returns
 * while it copies a message into a receive that is too short; with the tail every receive is long enough. What did not
 * fit lands in the tail, which nobody reads, and makes the completion longer than the buffers: an error. So providers
 * that do not report truncation get a tail, too, and so do those that end the connection over it. A tail that is short,
 * or only saves the connection, is left out where a receive already has the maximum of buffers. Where only receives of
 * 0 bytes go wrong, they alone get a tail, of one byte: the provider then sees that a message is longer, or the byte
 * shows it.
 * <p>All receives share the tail. Messages that reach its first part cause memory to be allocated there, which is given
 * back soon after; beyond that part the kernel refuses access, which ends the copy with an error, too.
 * <p><b>Threads.</b> The first thread that receives with an endpoint uses the endpoint's own table of two elements;
 * every other thread has a table of its own.
 */
public final class OverflowTail {
    /** Longer than any message. */
    private static final long BYTES = 1L << 40;
    /** The part that is memory, for providers that copy with the processor. */
    private static final long USABLE = 1L << 32;
    private static final long LEAST_USABLE = 1L << 17;
    /** So much at the beginning keeps its memory; as much at the end of the usable part is at least a page. */
    private static final long KEPT = 1L << 16;
    /** Longer than any datagram, and than anything {@code ofi_rxm} sends without being asked for it. */
    private static final long SHORT = 1L << 16;
    private static final long ELEMENT = 2L * Long.BYTES;
    /** Shared by all endpoints: nobody reads it. */
    public static final MemorySegment BYTE = Arena.global().allocate(Long.BYTES);
    private static final ThreadLocal<MemorySegment> TABLES = ThreadLocal.withInitial(OverflowTail::newTable);

    private final MemorySegment ownTable = newTable();
    private final long own = ownTable.address();
    /** Set once, under the monitor; the owner recognises itself without it. */
    private Thread owner;

    private final boolean forAll;
    /** How many buffers a receive may have to get a tail. */
    private final long most;
    private final long start;
    private final long bytes;
    private final long descriptor;

    private OverflowTail(boolean forAll, long most, long start, long bytes, long descriptor) {
        this.forAll = forAll;
        this.most = most;
        this.start = start;
        this.bytes = bytes;
        this.descriptor = descriptor;
        put(own + ELEMENT, start, bytes);
    }

    /**
     * The tail for an endpoint; null where receives need none.
     *
     * @param described whether all memory needs a descriptor
     * @param descriptor of {@link #BYTE}, 0 if it needs none
     * @param limit how many buffers a receive may have for the provider
     */
    public static OverflowTail of(Quirks quirks, boolean described, long descriptor, long limit) {
        if (!isForAll(quirks) || described && !isNeeded(quirks) && endsConnections(quirks)) {
            return quirks.has(Quirk.EMPTY_RECEIVES)
                    ? new OverflowTail(false, 0, BYTE.address(), 1, descriptor) : null;
        }
        if (!isNeeded(quirks) && (!quirks.has(Quirk.TRUNCATION_DISCONNECTS) || Reservation.ADDRESS == 0)) {
            return new OverflowTail(true, limit - 1, OfShort.MEMORY.address(), SHORT, 0);
        }
        if (Reservation.ADDRESS == 0) {
            throw FabricException.of("fi_endpoint", Errno.ENOMEM, "the process may not reserve " + BYTES + " bytes of "
                    + "address space, which receives need with this provider: is there a limit (ulimit -v)?");
        }
        return new OverflowTail(true, isNeeded(quirks) ? Long.MAX_VALUE : limit - 1, Reservation.ADDRESS, BYTES, 0);
    }

    /** Whether all receives of the provider have a tail. */
    public static boolean isForAll(Quirks quirks) {
        return isNeeded(quirks) || quirks.has(Quirk.SILENT_TRUNCATION_OF_DATAGRAMS) || endsConnections(quirks);
    }

    private static boolean endsConnections(Quirks quirks) {
        return quirks.hasAny(Quirk.TRUNCATION_ENDS_CONNECTION, Quirk.TRUNCATION_DISCONNECTS);
    }

    private static boolean isNeeded(Quirks quirks) {
        return quirks.hasAny(Quirk.ENDLESS_TRUNCATION, Quirk.SILENT_TRUNCATION);
    }

    /** How many excess bytes the provider takes for wanted, in a receive that has a tail. */
    public static long hidden(Quirks quirks) {
        return quirks.has(Quirk.TRUNCATION_ENDS_CONNECTION) ? SHORT : quirks.has(Quirk.EMPTY_RECEIVES) ? 1 : 0;
    }

    /** Whether a receive must leave room for the tail behind its buffers. */
    public boolean isNeeded() {
        return most == Long.MAX_VALUE;
    }

    /** Whether a receive of this length and number of buffers gets the tail. */
    public boolean ends(long length, int buffers) {
        return forAll ? buffers <= most : length == 0;
    }

    /** The tail if all receives have it, else null. */
    public static OverflowTail ofAll(OverflowTail tail) {
        return tail != null && tail.forAll ? tail : null;
    }

    /** Initialised when the first endpoint needs it. */
    static final class Reservation {
        private static final long ADDRESS;
        static final long END;

        static {
            long ample = LibC.reserve(BYTES, USABLE);
            // a system that counts what may be touched as used allows less
            ADDRESS = ample != 0 ? ample : LibC.reserve(BYTES, LEAST_USABLE);
            END = ADDRESS + (ample != 0 ? USABLE : LEAST_USABLE);
        }

        private Reservation() {
        }
    }

    /** Initialised when the first endpoint needs it. */
    private static final class OfShort {
        private static final MemorySegment MEMORY = Arena.global().allocate(SHORT);

        private OfShort() {
        }
    }

    private static MemorySegment newTable() {
        return Arena.ofAuto().allocate(2 * ELEMENT, Long.BYTES);
    }

    /** Whether all receives have it, not only those of 0 bytes. */
    public boolean isForAll() {
        return forAll;
    }

    /** Its address. */
    public long start() {
        return start;
    }

    public long bytes() {
        return bytes;
    }

    public long descriptor() {
        return descriptor;
    }

    private static void put(long element, long address, long length) {
        Memory.putLong(element, address);
        Memory.putLong(element + Long.BYTES, length);
    }

    /** A table of the buffer and the tail, for a call by this thread. */
    public long table(long address, long length) {
        long table = owner == Thread.currentThread() ? own : tableElsewhere();
        put(table, address, length);
        return table;
    }

    private long tableElsewhere() {
        synchronized (this) {
            if (owner == null) {
                owner = Thread.currentThread();
                return own;
            }
        }
        long table = TABLES.get().address();
        // the last use was perhaps for another provider
        put(table + ELEMENT, start, bytes);
        return table;
    }

    /** Gives back the memory of the tail after a message that was that many bytes too long. */
    public static void forget(long bytes) {
        if (bytes > KEPT) {
            LibC.forget(Reservation.ADDRESS + KEPT, Math.min(bytes, USABLE) - KEPT);
        }
    }

    /** Whether a message that failed was longer than the receive and its tail; gives back the memory that it filled. */
    public static boolean wasFull() {
        if (Reservation.ADDRESS == 0 || !LibC.isTouched(Reservation.END - KEPT, KEPT)) {
            return false;
        }
        forget(USABLE);
        return true;
    }

    /** Gives back all memory of the tail, even if others are writing to it: nobody reads that either. */
    public void forgetAll() {
        if (bytes == BYTES) {
            forget(USABLE);
        }
    }
}
