// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_rma_iov;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.quirk.Quirk;
import java.lang.foreign.Arena;
import java.util.function.LongSupplier;

/**
 * Writes that are told what the endpoint's flags say of their completion, where only those are obeyed that an operation
 * brings itself ({@link Quirk#WRITES_WITHOUT_DEFAULTS}).
 */
final class DeliveredWrites extends RmaOps {
    private static final long LEVELS = Libfabric.FI_TRANSMIT_COMPLETE() | Libfabric.FI_DELIVERY_COMPLETE()
            | Libfabric.FI_COMMIT_COMPLETE();
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final LongSupplier flags;
    private final Arena arena = Arena.ofAuto();
    private final long message = Structs.allocate(arena, fi_msg_rma.layout()).address();
    /** A {@code struct iovec}. */
    private final long source = arena.allocate(2 * Long.BYTES, Long.BYTES).address();
    private final long descriptor = arena.allocate(Long.BYTES, Long.BYTES).address();
    private final long target = Structs.allocate(arena, fi_rma_iov.layout()).address();

    /** Operations that have no flags have these. */
    DeliveredWrites(LongSupplier flags) {
        this.flags = flags;
    }

    private long levels() {
        return flags.getAsLong() & LEVELS;
    }

    @Override
    public long write(long fid, long buffer, long length, long desc, long destination, long address, long key,
            long context) {
        long levels = levels();
        return levels == 0 ? super.write(fid, buffer, length, desc, destination, address, key, context)
                : one(fid, buffer, length, desc, 0, destination, address, key, context, levels);
    }

    @Override
    public long writedata(long fid, long buffer, long length, long desc, long data, long destination, long address,
            long key, long context) {
        long levels = levels();
        return levels == 0 ? super.writedata(fid, buffer, length, desc, data, destination, address, key, context)
                : one(fid, buffer, length, desc, data, destination, address, key, context, levels | DATA);
    }

    private long one(long fid, long buffer, long length, long desc, long data, long destination, long address, long key,
            long context, long with) {
        synchronized (arena) {
            Memory.putLong(source, buffer);
            Memory.putLong(source + Long.BYTES, length);
            Memory.putLong(descriptor, desc);
            Memory.putLong(message + fi_msg_rma.data$offset(), data);
            return told(fid, source, descriptor, 1, length, destination, address, key, context, with);
        }
    }

    @Override
    public long writev(long fid, long iov, long desc, long count, long destination, long address, long key,
            long context) {
        long levels = levels();
        if (levels == 0) {
            return super.writev(fid, iov, desc, count, destination, address, key, context);
        }
        synchronized (arena) {
            return told(fid, iov, desc, count, GuardedOps.total(iov, count), destination, address, key, context,
                    levels);
        }
    }

    private long told(long fid, long iov, long desc, long count, long length, long destination, long address, long key,
            long context, long with) {
        Memory.putLong(target + fi_rma_iov.addr$offset(), address);
        Memory.putLong(target + fi_rma_iov.len$offset(), length);
        Memory.putLong(target + fi_rma_iov.key$offset(), key);
        Memory.putLong(message + fi_msg_rma.msg_iov$offset(), iov);
        Memory.putLong(message + fi_msg_rma.desc$offset(), desc);
        Memory.putLong(message + fi_msg_rma.iov_count$offset(), count);
        Memory.putLong(message + fi_msg_rma.addr$offset(), destination);
        Memory.putLong(message + fi_msg_rma.rma_iov$offset(), target);
        Memory.putLong(message + fi_msg_rma.rma_iov_count$offset(), 1);
        Memory.putLong(message + fi_msg_rma.context$offset(), context);
        return super.writemsg(fid, message, with);
    }
}
