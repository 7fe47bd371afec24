// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** The variables that libfabric reads: from the environment or, since 1.18, from its configuration file. */
public final class Variables {
    private static final String PREFIX = "FI_";
    /** The oldest release that has a file: 1.18. */
    private static final int FILE_SINCE = NativeLibrary.code(1, 18);
    /** {@code FI_PARAM_STRING}. */
    private static final int STRING = 0;
    /** The help text that marks in {@code fi_getparams} what jfabric has defined. */
    private static final String HELP = "defined by jfabric, which looks at it, too";

    /** The variables that the library can be asked for. Null until it has been started. */
    private static Set<String> defined;

    private Variables() {
    }

    /** The value that the library sees now; null if it is not set. */
    public static synchronized String get(String name) {
        if (!NativeLibrary.knows(FILE_SINCE)) {
            return LibC.getenv(name);
        }
        try (Arena arena = Arena.ofConfined()) {
            if (defined == null) {
                start(arena);
            }
            // in capitals, and so not the library's own parameter of this variable, which may be no text
            MemorySegment ours = arena.allocateFrom(name.substring(PREFIX.length()));
            if (defined.add(name)) {
                Exports.paramDefine(0, ours.address(), STRING, arena.allocateFrom(HELP).address());
            }
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            int result = Exports.paramGet(0, ours.address(), value.address());
            return result == 0 ? Memory.string(value.get(ValueLayout.JAVA_LONG, 0))
                    : result == -Errno.ENOSYS ? LibC.getenv(name) : null;
        }
    }

    private static void start(Arena arena) {
        LogLevel.check();
        MemorySegment list = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
        Signals.keep(() -> Exports.getparams(list.address(), count.address()));
        Exports.freeparams(list.get(ValueLayout.JAVA_LONG, 0));
        defined = new HashSet<>();
    }

    /** Runs what reads the library's list while nothing is added to it. */
    public static synchronized <T> T unchanged(Supplier<T> reading) {
        return reading.get();
    }

    /** Where it is set, for messages. */
    public static String place(String name) {
        String set = LibC.getenv(name);
        return set != null && set.equals(get(name)) ? "in the environment" : "in libfabric.conf";
    }

    /** Whether a parameter with this help text is one that jfabric has defined. */
    public static boolean isOurs(String help) {
        return HELP.equals(help);
    }
}
