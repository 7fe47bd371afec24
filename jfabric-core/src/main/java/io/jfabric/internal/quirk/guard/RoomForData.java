// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.EpOps;
import io.jfabric.internal.ops.RmaOps;

/**
 * Remote memory where nobody looks for room for the data of a write. The ring of operations is asked how much is left:
 * what is not reported, or was started by a counter, is in it as well. Half of it is for what other threads, and
 * counters, put there between question and write.
 */
final class RoomForData extends RmaOps {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();
    /** Of the ring's entries, how many the longest operation takes. */
    private static final long LONGEST = 2;

    private final long least;

    RoomForData(long size) {
        this.least = Math.max(LONGEST, size / 2);
    }

    private boolean isFull(long fid) {
        return EpOps.txSizeLeft(fid) < least;
    }

    @Override
    public long writemsg(long fid, long message, long flags) {
        return (flags & DATA) != 0 && isFull(fid) ? -Errno.EAGAIN : super.writemsg(fid, message, flags);
    }

    @Override
    public long writedata(long fid, long buffer, long length, long desc, long data, long destination, long address,
            long key, long context) {
        return isFull(fid) ? -Errno.EAGAIN
                : super.writedata(fid, buffer, length, desc, data, destination, address, key, context);
    }

    @Override
    public long injectdata(long fid, long buffer, long length, long data, long destination, long address, long key) {
        return isFull(fid) ? -Errno.EAGAIN : super.injectdata(fid, buffer, length, data, destination, address, key);
    }
}
