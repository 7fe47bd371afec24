// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.RmaOps;

/**
 * Remote memory where the queue of operations has room for as many as an endpoint can have, but nobody looks for the
 * data of a write: most of it is left to what nobody reports.
 */
final class RoomForData extends RmaOps {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final ContextSlab operations;
    private final long most;

    RoomForData(ContextSlab operations, long size) {
        this.operations = operations;
        this.most = Math.max(1, size / 8);
    }

    /** The operation is under way already, if it is reported. */
    private boolean isFull() {
        return operations.busy() > most;
    }

    @Override
    public long writemsg(long fid, long message, long flags) {
        return (flags & DATA) != 0 && isFull() ? -Errno.EAGAIN : super.writemsg(fid, message, flags);
    }

    @Override
    public long writedata(long fid, long buffer, long length, long desc, long data, long destination, long address,
            long key, long context) {
        return isFull() ? -Errno.EAGAIN
                : super.writedata(fid, buffer, length, desc, data, destination, address, key, context);
    }

    @Override
    public long injectdata(long fid, long buffer, long length, long data, long destination, long address, long key) {
        return isFull() ? -Errno.EAGAIN : super.injectdata(fid, buffer, length, data, destination, address, key);
    }
}
