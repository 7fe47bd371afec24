// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The structs and constants of PMIx 3 and 4 that are needed here (pmix_common.h). A test compares them with the
 * headers.
 */
final class Structs {
    /** {@code pmix_proc_t}: a name space of 256 characters, a rank. */
    static final int PROC = 260;
    static final int PROC_RANK = 256;
    /** {@code pmix_value_t}: a type of 16 bits, a union. */
    static final int VALUE = 32;
    static final int VALUE_DATA = 8;
    /** {@code pmix_info_t}: a key of 512 characters, flags, a value. */
    static final int INFO = 552;
    static final int INFO_VALUE = 520;
    /** {@code pmix_byte_object_t}: an address, a size; in a value. */
    static final int BYTES_SIZE = VALUE_DATA + 8;

    static final short BOOL = 1;
    static final short STRING = 3;
    static final short INT = 6;
    static final short UINT16 = 13;
    static final short UINT32 = 14;
    static final short PROC_TYPE = 22;
    static final short BYTE_OBJECT = 27;

    static final int RANK_WILDCARD = -2;
    static final byte SCOPE_GLOBAL = 3;
    static final int SUCCESS = 0;
    static final int ERR_PROC_ABORTED = -7;
    static final int ERR_LOST_CONNECTION = -61;
    static final int ERR_TERMINATED_WITHOUT_SYNC = -200;
    static final int ACTION_COMPLETE = -334;

    static final String JOB_SIZE = "pmix.job.size";
    static final String LOCAL_RANK = "pmix.lrank";
    static final String LOCAL_SIZE = "pmix.local.size";
    static final String COLLECT_DATA = "pmix.collect";
    static final String TIMEOUT = "pmix.timeout";
    static final String HOSTNAME = "pmix.hname";
    static final String AFFECTED = "pmix.evproc";

    private static final int MOST_SECONDS = 1 << 20;

    private Structs() {
    }

    static MemorySegment proc(SegmentAllocator arena, String space, int rank) {
        MemorySegment proc = arena.allocate(PROC, 8);
        proc.setString(0, space, StandardCharsets.UTF_8);
        proc.set(ValueLayout.JAVA_INT, PROC_RANK, rank);
        return proc;
    }

    static MemorySegment infos(SegmentAllocator arena, int count) {
        return arena.allocate((long) INFO * count, 8);
    }

    private static MemorySegment info(MemorySegment infos, int index, String key, short type) {
        MemorySegment info = infos.asSlice((long) INFO * index, INFO);
        info.setString(0, key, StandardCharsets.UTF_8);
        info.set(ValueLayout.JAVA_SHORT, INFO_VALUE, type);
        return info.asSlice(INFO_VALUE + VALUE_DATA);
    }

    static void collectData(MemorySegment infos, int index) {
        info(infos, index, COLLECT_DATA, BOOL).set(ValueLayout.JAVA_BOOLEAN, 0, true);
    }

    static void timeout(MemorySegment infos, int index, long millis) {
        info(infos, index, TIMEOUT, INT).set(ValueLayout.JAVA_INT, 0,
                Math.clamp((millis + 999) / 1000, 1, MOST_SECONDS));
    }

    static MemorySegment bytes(SegmentAllocator arena, byte[] bytes) {
        MemorySegment value = arena.allocate(VALUE, 8);
        value.set(ValueLayout.JAVA_SHORT, 0, BYTE_OBJECT);
        // an empty value is refused: a byte that says nothing goes before all
        MemorySegment copy = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 1, bytes.length);
        value.set(ValueLayout.ADDRESS, VALUE_DATA, copy);
        value.set(ValueLayout.JAVA_LONG, BYTES_SIZE, copy.byteSize());
        return value;
    }
}
