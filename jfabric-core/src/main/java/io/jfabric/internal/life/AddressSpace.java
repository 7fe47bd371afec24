// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Mapping;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where a file is mapped in this process. Once that is unmapped, dummy memory can take its place. */
public record AddressSpace(long address, long bytes) {
    /** The mappings of a file; none if they cannot be seen. */
    public static List<AddressSpace> of(Path file) {
        try {
            return Mapping.of("self", file).stream().filter(each -> !each.isRemoved())
                    .map(each -> new AddressSpace(each.begin(), each.end() - each.begin())).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Maps dummy memory there, where writes do no harm, unless something else is mapped there by now. */
    boolean take() {
        return LibC.mapAt(address, bytes);
    }

    void free() {
        LibC.unmap(address, bytes);
    }
}
