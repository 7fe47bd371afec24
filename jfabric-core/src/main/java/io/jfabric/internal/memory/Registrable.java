// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.info.Flags;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Checks what is to be registered: a provider maps and writes what it is told, whatever is there. */
final class Registrable {
    /** Rights that have the provider write to the memory. */
    private static final long WRITES =
            Flags.of(MemoryAccess.RECV, MemoryAccess.READ, MemoryAccess.REMOTE_WRITE).bits();

    private Registrable() {
    }

    static void check(String operation, List<MemorySegment> memory, long access) {
        long total = 0;
        for (MemorySegment segment : memory) {
            Buffers.address(operation, segment);
            if (segment.byteSize() == 0) {
                throw new IllegalArgumentException(operation + ": a buffer of 0 bytes cannot be registered");
            }
            long end = segment.address() + segment.byteSize();
            total += segment.byteSize();
            // the upper half is not the program's, and an end beyond it would be small again
            if (segment.address() < 0 || end < 0 || total < 0) {
                throw new IllegalArgumentException(operation + ": " + Long.toUnsignedString(segment.byteSize())
                        + " bytes at 0x" + Long.toHexString(segment.address()) + " are more than there is memory; "
                        + "register a part: asSlice(offset, size)");
            }
            if (segment.isReadOnly() && (access & WRITES) != 0) {
                throw new IllegalArgumentException(operation + ": the memory is read-only, but RECV, READ and "
                        + "REMOTE_WRITE have the provider write to it");
            }
        }
    }

    /** Throws unless the parts are in what was registered. */
    static void checkParts(String operation, List<MemorySegment> parts, List<MemorySegment> registered) {
        for (MemorySegment part : parts) {
            Buffers.address(operation, part);
            if (registered.stream().noneMatch(all -> part.address() >= all.address()
                    && part.address() - all.address() <= all.byteSize() - part.byteSize())) {
                throw new IllegalArgumentException(operation + ": " + part.byteSize() + " bytes at 0x"
                        + Long.toHexString(part.address()) + " are not in the region");
            }
        }
    }
}
