// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Exports;
import io.jfabric.ffi.NativeLibrary;
import io.jfabric.ffi.Signals;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.Set;

/** One call of {@code fi_getinfo}. */
record InfoQuery(String node, String service, long flags, Hints hints) {
    /** Set once the library has read its parameters from the environment. */
    private static volatile boolean started;

    static InfoQuery of(String node, String service, Set<GetInfoFlag> flags, Hints hints) {
        long bits = 0;
        for (GetInfoFlag flag : flags) {
            bits |= flag.code();
        }
        return new InfoQuery(node, service, bits, hints);
    }

    static boolean started() {
        return started;
    }

    static void start() {
        started = true;
    }

    InfoQuery with(Hints other) {
        return new InfoQuery(node, service, flags, other);
    }

    FabricInfoList run() {
        MemorySegment head = MemorySegment.ofArray(new long[1]);
        int result = call(head);
        if (result != 0) {
            throw FabricException.of("fi_getinfo", result, result == -Errno.ENODATA || result == -Errno.ENOSYS
                    ? new NoMatch(this).explain() : null);
        }
        return new FabricInfoList(head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }

    /** What matches; empty if nothing does. */
    Optional<FabricInfoList> find() {
        MemorySegment head = MemorySegment.ofArray(new long[1]);
        int result = call(head);
        if (result == -Errno.ENODATA) {
            return Optional.empty();
        }
        if (result != 0) {
            throw FabricException.of("fi_getinfo", result, null);
        }
        return Optional.of(new FabricInfoList(head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)));
    }

    /** Whether anything matches; nothing is kept. */
    boolean matches() {
        MemorySegment head = MemorySegment.ofArray(new long[1]);
        if (call(head) != 0) {
            return false;
        }
        Exports.freeinfo(head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        return true;
    }

    private int call(MemorySegment head) {
        NativeLibrary.require();
        start();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            long h = hints == null ? 0 : hints.address();
            // a provider loaded as a plug-in may take the JVM's signal handlers just as libfabric itself may
            long node0 = text(arena, node);
            long service0 = text(arena, service);
            // asked before anything native is touched, as it explains why that fails
            int version = NativeLibrary.apiVersion().code();
            int code = Signals.keep(() -> Exports.getinfo(version, node0, service0, flags, h,
                    result.address()));
            head.copyFrom(result);
            return code;
        }
    }

    private static long text(Arena arena, String text) {
        return text == null ? 0 : arena.allocateFrom(text).address();
    }
}
