// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.shared.Sizes;
import java.lang.foreign.MemorySegment;

/** The buffers of a request, together. */
final class Segments {
    private Segments() {
    }

    /** Throws unless each is native, alive and open to this thread, to be written if it will be. */
    static void usable(String operation, MemorySegment[] several, boolean written) {
        for (int i = 0; i < several.length; i++) {
            if (!Buffers.isUsable(several[i], written)) {
                String which = several.length == 1 ? operation : operation + ", index " + i + " of " + several.length;
                usable(which, several[i], written);
            }
        }
    }

    static void usable(String operation, MemorySegment buffer, boolean written) {
        if (written) {
            Buffers.writable(operation, buffer);
        } else {
            Buffers.address(operation, buffer);
        }
    }

    static long size(String operation, MemorySegment[] several) {
        long total = 0;
        for (MemorySegment buffer : several) {
            total = Sizes.sum(operation, "buffers", total, buffer.byteSize());
        }
        return total;
    }
}
