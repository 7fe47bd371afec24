// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Mapping;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where a file is mapped in this process. Once it is unmapped, memory of no use can take its place. */
public record AddressSpace(long address, long bytes) {
    /** The mapping of a file; null if there is none or several. */
    public static AddressSpace of(Path file) {
        try {
            List<Mapping> found = Mapping.of("self", file).stream().filter(each -> !each.isRemoved()).toList();
            return found.size() != 1 ? null : new AddressSpace(found.getFirst().begin(),
                    found.getFirst().end() - found.getFirst().begin());
        } catch (IOException e) {
            return null;
        }
    }

    /** Lets writes go nowhere, where nothing else is mapped now. */
    boolean take() {
        return LibC.mapAt(address, bytes);
    }

    void free() {
        LibC.unmap(address, bytes);
    }
}
