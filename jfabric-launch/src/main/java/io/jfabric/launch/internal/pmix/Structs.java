// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * What calls of PMIx take and give, as PMIx 3 and 4 have it. The numbers are those of the generated bindings, which a
 * test compares: the layouts of those, and handles of their fields, would be made at every start, which is felt where
 * many processes start on a host.
 */
final class Structs {
    static final int SUCCESS = 0;
    /** {@code PMIX_ERR_NOT_FOUND}. */
    static final int NOT_FOUND = -46;
    static final int BOOL = 1;
    static final int STRING = 3;
    static final int INT = 6;
    static final int UINT16 = 13;
    static final int UINT32 = 14;
    static final int BYTE_OBJECT = 27;
    /** The scope of what is put: all ranks. */
    static final int GLOBAL = 3;
    /** All ranks, or none of them. */
    static final int WILDCARD = -2;

    static final String JOB_SIZE = "pmix.job.size";
    static final String LOCAL_RANK = "pmix.lrank";
    static final String LOCAL_SIZE = "pmix.local.size";
    static final String HOSTNAME = "pmix.hname";
    static final String COLLECT_DATA = "pmix.collect";
    static final String TIMEOUT = "pmix.timeout";

    /** {@code pmix_proc}: the name of the job, the rank. */
    static final int PROC = 260;
    static final int PROC_RANK = 256;
    /** {@code pmix_value}: a type, and data that may be a {@code pmix_byte_object}. */
    static final int VALUE = 32;
    static final int VALUE_DATA = 8;
    static final int VALUE_SIZE = 16;
    /** {@code pmix_info}: a key and a value. */
    static final int INFO = 552;
    static final int INFO_VALUE = 520;

    private static final int MOST_SECONDS = 1 << 20;

    private Structs() {
    }

    private static ByteBuffer view(MemorySegment segment) {
        return segment.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Memory of zeros. */
    static MemorySegment allocate(Arena arena, int size) {
        return arena.allocate(size, Long.BYTES);
    }

    static MemorySegment text(Arena arena, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment copy = allocate(arena, bytes.length + 1);
        view(copy).put(bytes);
        return copy;
    }

    static MemorySegment proc(Arena arena, String space, int rank) {
        MemorySegment proc = allocate(arena, PROC);
        view(proc).put(space.getBytes(StandardCharsets.UTF_8)).putInt(PROC_RANK, rank);
        return proc;
    }

    /** The rank of a process. */
    static int rank(MemorySegment proc) {
        return view(proc).getInt(PROC_RANK);
    }

    static MemorySegment infos(Arena arena, int count) {
        return allocate(arena, count * INFO);
    }

    /** An info that now has this key and type, from its value on. */
    private static ByteBuffer info(MemorySegment infos, int index, String key, int type) {
        ByteBuffer info = view(infos.asSlice((long) index * INFO, INFO));
        info.put(key.getBytes(StandardCharsets.UTF_8));
        return info.putShort(INFO_VALUE, (short) type).position(INFO_VALUE + VALUE_DATA);
    }

    static void collectData(MemorySegment infos, int index) {
        info(infos, index, COLLECT_DATA, BOOL).put((byte) 1);
    }

    static void timeout(MemorySegment infos, int index, long millis) {
        info(infos, index, TIMEOUT, INT).putInt(Math.clamp((millis + 999) / 1000, 1, MOST_SECONDS));
    }

    static MemorySegment bytes(Arena arena, byte[] bytes) {
        // an empty value is refused: a byte that says nothing goes before all
        MemorySegment copy = allocate(arena, bytes.length + 1);
        view(copy).put(1, bytes);
        MemorySegment value = allocate(arena, VALUE);
        view(value).putShort(0, (short) BYTE_OBJECT).putLong(VALUE_DATA, copy.address())
                .putLong(VALUE_SIZE, copy.byteSize());
        return value;
    }

    /** A value that PMIx gave by its address. */
    static MemorySegment value(MemorySegment pointer) {
        return MemorySegment.ofAddress(view(pointer).getLong(0)).reinterpret(VALUE);
    }

    static boolean is(int type, MemorySegment value) {
        return view(value).getShort(0) == type;
    }

    /** Where the text or the bytes of a value are. */
    static MemorySegment data(MemorySegment value) {
        return MemorySegment.ofAddress(view(value).getLong(VALUE_DATA));
    }

    /** How many bytes they are; not of a text. */
    static long size(MemorySegment value) {
        return view(value).getLong(VALUE_SIZE);
    }

    /** What {@link #bytes} was made of. */
    static byte[] copy(MemorySegment data, int size) {
        byte[] bytes = new byte[size - 1];
        view(data.reinterpret(size)).get(1, bytes);
        return bytes;
    }

    /** If it is one. */
    static OptionalInt number(MemorySegment value) {
        if (is(UINT32, value) || is(INT, value)) {
            return OptionalInt.of(view(value).getInt(VALUE_DATA));
        }
        return is(UINT16, value) ? OptionalInt.of(Short.toUnsignedInt(view(value).getShort(VALUE_DATA)))
                : OptionalInt.empty();
    }
}
