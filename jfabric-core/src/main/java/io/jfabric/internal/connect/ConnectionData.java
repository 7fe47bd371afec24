// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ops.EpOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The bytes that travel with a connection request and its answer. Their length is checked here: some providers copy
 * them into a fixed buffer without checking (fi_reject in libfabric 1.17).
 */
final class ConnectionData {
    /** What the provider gets if there is no data. */
    private static final ConnectionData NONE = new ConnectionData(0, 0);
    /** If a provider does not tell its limit: fi_cm(3) promises as much on every provider that has data at all. */
    private static final long UNKNOWN_LIMIT = 256;

    final long address;
    final long length;

    private ConnectionData(long address, long length) {
        this.address = address;
        this.length = length;
    }

    static ConnectionData of(String operation, long fid, byte[] data, Arena arena) {
        if (data == null || data.length == 0) {
            return NONE;
        }
        long limit = limit(fid, arena);
        if (data.length > limit) {
            throw new IllegalArgumentException(operation + ": " + data.length + " bytes of data, but the provider "
                    + "takes at most " + limit + " along with a connection; send the rest as a message");
        }
        return new ConnectionData(arena.allocateFrom(ValueLayout.JAVA_BYTE, data).address(), data.length);
    }

    /** {@code FI_OPT_CM_DATA_SIZE} */
    private static long limit(long fid, Arena arena) {
        MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment size = arena.allocateFrom(ValueLayout.JAVA_LONG, value.byteSize());
        int result = EpOps.getopt(fid, Libfabric.FI_OPT_ENDPOINT(), Libfabric.FI_OPT_CM_DATA_SIZE(), value.address(),
                size.address());
        return result == 0 ? value.get(ValueLayout.JAVA_LONG, 0) : UNKNOWN_LIMIT;
    }
}
