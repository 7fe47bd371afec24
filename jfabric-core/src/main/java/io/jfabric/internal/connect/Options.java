// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.EpOps;
import io.jfabric.option.EndpointOption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@code fi_getopt} and {@code fi_setopt}. */
final class Options {
    /** Room for a provider that treats a value as one of a larger type. */
    private static final long ROOM = 16;

    private Options() {
    }

    static <T> T read(long fid, EndpointOption<T> option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ROOM, 8);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_LONG, option.byteSize());
            Results.check("fi_getopt(" + option + ")", EpOps.getopt(fid, Libfabric.FI_OPT_ENDPOINT(), option.code(),
                    value.address(), length.address()), null);
            return option.decode(value);
        }
    }

    static <T> void write(long fid, EndpointOption<T> option, T value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ROOM, 8);
            option.encode(memory, value);
            Results.check("fi_setopt(" + option + ")", EpOps.setopt(fid, Libfabric.FI_OPT_ENDPOINT(), option.code(),
                    memory.address(), option.byteSize()), "value " + value);
        }
    }
}
