// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fid_mr;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.MrOps;

/** A registration that jfabric makes for itself, for the local use of a buffer. */
record LocalRegion(long mr) {
    private static final long ACCESS =
            Libfabric.FI_SEND() | Libfabric.FI_RECV() | Libfabric.FI_READ() | Libfabric.FI_WRITE();

    static LocalRegion of(Domain domain, long address, long length) {
        long key = domain.nextKey();
        return new LocalRegion(domain.open("fi_mr_reg", (d, result) ->
                MrOps.reg(d, address, length, ACCESS, 0, key, 0, result, 0)));
    }

    long descriptor() {
        return Memory.getLong(mr + fid_mr.mem_desc$offset());
    }

    void close() {
        FabricObject.check("fi_close(memory region)", FidOps.close(mr), null);
    }
}
