// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A last element for every receive, of address space that no message fills: the shm provider copies a message into a
 * receive that is too short for it without end, in the receiver's poll. With the tail every receive is long enough.
 * What came too much is in the tail, which nobody reads, and its completion is longer than the buffers: an error.
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
    private static final long LEAST_USABLE = 1L << 16;
    private static final long ELEMENT = 2L * Long.BYTES;
    private static final ThreadLocal<MemorySegment> TABLES = ThreadLocal.withInitial(OverflowTail::table);

    private final MemorySegment ownTable = table();
    private final long own = ownTable.address();
    /** Set once, under the monitor; a thread that is the owner sees that it is without one. */
    private Thread owner;

    private OverflowTail() {
    }

    /** For an endpoint; null where receives need none. */
    public static OverflowTail of(Quirks quirks) {
        if (!quirks.has(Quirk.ENDLESS_TRUNCATION)) {
            return null;
        }
        if (Reservation.ADDRESS == 0) {
            throw FabricException.of("fi_endpoint", Errno.ENOMEM, "the process may not reserve " + BYTES + " bytes of "
                    + "address space, which receives need with this provider: is there a limit (ulimit -v)?");
        }
        return new OverflowTail();
    }

    /** Initialised when the first endpoint needs it. */
    private static final class Reservation {
        private static final long ADDRESS = reserve();

        private Reservation() {
        }

        // a system that counts what may be touched as used allows less
        private static long reserve() {
            long address = LibC.reserve(BYTES, USABLE);
            return address != 0 ? address : LibC.reserve(BYTES, LEAST_USABLE);
        }
    }

    private static MemorySegment table() {
        MemorySegment table = Arena.ofAuto().allocate(2 * ELEMENT, Long.BYTES);
        put(table.address() + ELEMENT);
        return table;
    }

    /** For calls with more buffers. */
    public void addTo(BufferTable buffers) {
        buffers.add(Reservation.ADDRESS, BYTES);
    }

    private static void put(long element) {
        Memory.putLong(element, Reservation.ADDRESS);
        Memory.putLong(element + Long.BYTES, BYTES);
    }

    /** A table of two elements, the buffer and the tail, for a call of this thread. */
    public long table(long address, long length) {
        long table = owner == Thread.currentThread() ? own : tableElsewhere();
        Memory.putLong(table, address);
        Memory.putLong(table + Long.BYTES, length);
        return table;
    }

    private long tableElsewhere() {
        synchronized (this) {
            if (owner == null) {
                owner = Thread.currentThread();
                return own;
            }
        }
        return TABLES.get().address();
    }

    /** A message was too long by that many bytes: they are in the tail, and nobody wants them. */
    public static void forget(long bytes) {
        if (bytes > LEAST_USABLE) {
            LibC.forget(Reservation.ADDRESS + LEAST_USABLE, Math.min(bytes, USABLE) - LEAST_USABLE);
        }
    }

    /** Whatever is in the tail; others may be writing to it, which nobody reads either. */
    public static void forgetAll() {
        forget(USABLE);
    }
}
