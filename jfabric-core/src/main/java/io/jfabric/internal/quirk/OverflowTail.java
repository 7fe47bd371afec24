// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A last element for every receive, of address space that no message fills: the shm provider copies a message into a
 * receive that is too short for it without end, in the receiver's poll. With the tail every receive is long enough.
 * What came too much is in the tail, which nobody reads, and its completion is longer than the buffers: an error. So
 * providers that do not tell of it have one, too, and those that end the connection over it. Where it is short, or only
 * for the connection's sake, it is left out where a receive has as many buffers as may be. Where only a receive of no
 * bytes is taken ill, that alone gets one, of a byte: the provider sees itself that a message is longer, or the byte
 * shows it.
 * <p>The tail is one for all. Its first part gets memory where messages reach it, given back soon after; behind that
 * the kernel refuses, which ends the copy with an error too.
 * <p><b>Threads.</b> The first thread that receives with an endpoint has the endpoint's table of two elements for
 * itself; every other thread has one of its own.
 */
public final class OverflowTail {
    /** Longer than any message. */
    private static final long BYTES = 1L << 40;
    /** Where the provider copies by itself, the tail must be memory. */
    private static final long USABLE = 1L << 32;
    private static final long LEAST_USABLE = 1L << 17;
    /** So much of its beginning keeps its memory; as much at the end of what is usable is as long as any page. */
    private static final long KEPT = 1L << 16;
    /** Longer than any datagram, and than what {@code ofi_rxm} sends without being asked for it. */
    private static final long SHORT = 1L << 16;
    private static final long ELEMENT = 2L * Long.BYTES;
    /** Of all endpoints: nobody reads what is in it. */
    public static final MemorySegment BYTE = Arena.global().allocate(Long.BYTES);
    private static final ThreadLocal<MemorySegment> TABLES = ThreadLocal.withInitial(OverflowTail::newTable);

    private final MemorySegment ownTable = newTable();
    private final long own = ownTable.address();
    /** Set once, under the monitor; a thread that is the owner sees that it is without one. */
    private Thread owner;

    private final boolean forAll;
    /** Behind how many buffers at most. */
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
     * For an endpoint; null where receives need no tail.
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

    /** How many bytes that did not fit the provider takes for wanted, of a receive that has a tail. */
    public static long hidden(Quirks quirks) {
        return quirks.has(Quirk.TRUNCATION_ENDS_CONNECTION) ? SHORT : quirks.has(Quirk.EMPTY_RECEIVES) ? 1 : 0;
    }

    /** Whether there must be place for it behind the buffers. */
    public boolean isNeeded() {
        return most == Long.MAX_VALUE;
    }

    /** Whether a receive of so many bytes in so many buffers ends in it. */
    public boolean ends(long length, int buffers) {
        return forAll ? buffers <= most : length == 0;
    }

    /** A tail that all receives have; null for another one. */
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

    /** Whether all receives have it, not those of no bytes alone. */
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

    /** A table of the buffer and the tail, for a call of this thread. */
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
        // the last was perhaps of another provider
        put(table + ELEMENT, start, bytes);
        return table;
    }

    /** A message was too long by that many bytes: they are in the tail, and nobody wants them. */
    public static void forget(long bytes) {
        if (bytes > KEPT) {
            LibC.forget(Reservation.ADDRESS + KEPT, Math.min(bytes, USABLE) - KEPT);
        }
    }

    /** Whether a message that has failed was longer than receive and tail; gives back what it has filled. */
    public static boolean wasFull() {
        if (Reservation.ADDRESS == 0 || !LibC.isTouched(Reservation.END - KEPT, KEPT)) {
            return false;
        }
        forget(USABLE);
        return true;
    }

    /** Whatever is in the tail; others may be writing to it, which nobody reads either. */
    public void forgetAll() {
        if (bytes == BYTES) {
            forget(USABLE);
        }
    }
}
