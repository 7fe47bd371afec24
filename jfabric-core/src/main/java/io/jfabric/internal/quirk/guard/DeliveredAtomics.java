// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.Datatype;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_ioc;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_rma_ioc;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.quirk.Quirk;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.function.LongSupplier;

/**
 * Atomic operations that ask to be told of their delivery where they are too long to stand in the peer's queue: for
 * these shm takes an entry of its own, and only an entry of its own is given back to the right place if the peer has
 * no buffer left ({@link Quirk#REFUSED_ATOMICS_SPOIL}).
 */
final class DeliveredAtomics extends AtomicOps {
    /** What stands in the queue: an entry has 368 bytes, 64 for its header and 104 for remote ranges. */
    private static final long IN_QUEUE = 200;
    /** By the codes of types; that of no type is out of the row. */
    private static final int[] SHIFTS = new int[64];
    private static final long DELIVERED = Libfabric.FI_DELIVERY_COMPLETE();

    static {
        for (Datatype type : EnumSet.complementOf(EnumSet.of(Datatype.VOID))) {
            SHIFTS[(int) type.code()] = Long.numberOfTrailingZeros(type.byteSize());
        }
    }

    private final LongSupplier flags;
    private final Arena arena = Arena.ofAuto();
    private final long message = Structs.allocate(arena, fi_msg_atomic.layout()).address();
    private final long operand = Structs.allocate(arena, fi_ioc.layout()).address();
    private final long descriptor = arena.allocate(Long.BYTES, Long.BYTES).address();
    private final long target = Structs.allocate(arena, fi_rma_ioc.layout()).address();

    /** Operations that have no flags have these. */
    DeliveredAtomics(LongSupplier flags) {
        this.flags = flags;
    }

    private static boolean isLong(long count, int datatype) {
        return count << SHIFTS[datatype] > IN_QUEUE;
    }

    @Override
    public long write(long fid, long buffer, long count, long desc, long destination, long address, long key,
            int datatype, int op, long context) {
        if (!isLong(count, datatype)) {
            return super.write(fid, buffer, count, desc, destination, address, key, datatype, op, context);
        }
        synchronized (arena) {
            Memory.putLong(operand + fi_ioc.addr$offset(), buffer);
            Memory.putLong(operand + fi_ioc.count$offset(), count);
            Memory.putLong(descriptor, desc);
            return delivered(fid, operand, descriptor, 1, count, destination, address, key, datatype, op, context);
        }
    }

    @Override
    public long writev(long fid, long ioc, long desc, long entries, long destination, long address, long key,
            int datatype, int op, long context) {
        long count = GuardedOps.total(ioc, entries);
        if (!isLong(count, datatype)) {
            return super.writev(fid, ioc, desc, entries, destination, address, key, datatype, op, context);
        }
        synchronized (arena) {
            return delivered(fid, ioc, desc, entries, count, destination, address, key, datatype, op, context);
        }
    }

    private long delivered(long fid, long ioc, long desc, long entries, long count, long destination, long address,
            long key, int datatype, int op, long context) {
        Memory.putLong(target + fi_rma_ioc.addr$offset(), address);
        Memory.putLong(target + fi_rma_ioc.count$offset(), count);
        Memory.putLong(target + fi_rma_ioc.key$offset(), key);
        Memory.putLong(message + fi_msg_atomic.msg_iov$offset(), ioc);
        Memory.putLong(message + fi_msg_atomic.desc$offset(), desc);
        Memory.putLong(message + fi_msg_atomic.iov_count$offset(), entries);
        Memory.putLong(message + fi_msg_atomic.addr$offset(), destination);
        Memory.putLong(message + fi_msg_atomic.rma_iov$offset(), target);
        Memory.putLong(message + fi_msg_atomic.rma_iov_count$offset(), 1);
        Memory.putInt(message + fi_msg_atomic.datatype$offset(), datatype);
        Memory.putInt(message + fi_msg_atomic.op$offset(), op);
        Memory.putLong(message + fi_msg_atomic.context$offset(), context);
        return super.writemsg(fid, message, flags.getAsLong() | DELIVERED);
    }

    @Override
    public long writemsg(long fid, long request, long requested) {
        long count = GuardedOps.total(Memory.getLong(request + fi_msg_atomic.msg_iov$offset()),
                Memory.getLong(request + fi_msg_atomic.iov_count$offset()));
        boolean late = isLong(count, Memory.getInt(request + fi_msg_atomic.datatype$offset()));
        return super.writemsg(fid, request, late ? requested | DELIVERED : requested);
    }
}
