// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.bindings.pmix.Pmix;
import io.jfabric.bindings.pmix.pmix_byte_object;
import io.jfabric.bindings.pmix.pmix_info;
import io.jfabric.bindings.pmix.pmix_proc;
import io.jfabric.bindings.pmix.pmix_value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/** What calls of PMIx take and give, as PMIx 3 and 4 have it. */
final class Structs {
    private static final int MOST_SECONDS = 1 << 20;

    private Structs() {
    }

    static MemorySegment proc(SegmentAllocator arena, String space, int rank) {
        MemorySegment proc = pmix_proc.allocate(arena);
        proc.setString(pmix_proc.nspace$offset(), space, StandardCharsets.UTF_8);
        pmix_proc.rank(proc, rank);
        return proc;
    }

    static MemorySegment infos(SegmentAllocator arena, int count) {
        return pmix_info.allocateArray(count, arena);
    }

    /** The data of an info that now has this key and type. */
    private static MemorySegment info(MemorySegment infos, int index, MemorySegment key, int type) {
        MemorySegment info = pmix_info.asSlice(infos, index);
        pmix_info.key(info).copyFrom(key);
        MemorySegment value = pmix_info.value(info);
        pmix_value.type(value, (short) type);
        return pmix_value.data(value);
    }

    static void collectData(MemorySegment infos, int index) {
        pmix_value.data.flag(info(infos, index, Pmix.PMIX_COLLECT_DATA(), Pmix.PMIX_BOOL()), true);
    }

    static void timeout(MemorySegment infos, int index, long millis) {
        pmix_value.data.integer(info(infos, index, Pmix.PMIX_TIMEOUT(), Pmix.PMIX_INT()),
                Math.clamp((millis + 999) / 1000, 1, MOST_SECONDS));
    }

    static MemorySegment bytes(SegmentAllocator arena, byte[] bytes) {
        MemorySegment value = pmix_value.allocate(arena);
        pmix_value.type(value, (short) Pmix.PMIX_BYTE_OBJECT());
        // an empty value is refused: a byte that says nothing goes before all
        MemorySegment copy = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 1, bytes.length);
        MemorySegment object = pmix_value.data.bo(pmix_value.data(value));
        pmix_byte_object.bytes(object, copy);
        pmix_byte_object.size(object, copy.byteSize());
        return value;
    }

    /** A value that PMIx gave by its address. */
    static MemorySegment value(MemorySegment pointer) {
        return pointer.get(ValueLayout.ADDRESS, 0).reinterpret(pmix_value.sizeof());
    }

    static boolean is(int type, MemorySegment value) {
        return pmix_value.type(value) == type;
    }

    /** If it is one. */
    static OptionalInt number(MemorySegment value) {
        MemorySegment data = pmix_value.data(value);
        if (is(Pmix.PMIX_UINT32(), value) || is(Pmix.PMIX_INT(), value)) {
            return OptionalInt.of(pmix_value.data.uint32(data));
        }
        return is(Pmix.PMIX_UINT16(), value) ? OptionalInt.of(Short.toUnsignedInt(pmix_value.data.uint16(data)))
                : OptionalInt.empty();
    }
}
