// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.launch.JobException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The functions of {@code libpmix.so.2}. It is loaded once and stays. The callers keep the memory.
 *
 * <p>All functions take numbers and pointers and give one or none, and are called alike: with as many longs as the one
 * that takes most. By the calling conventions of Linux a function does not see arguments that it does not take, nor the
 * upper half of those that are shorter, and the upper half of a shorter result means nothing. Each shape of its own
 * would need classes that are made at every start, which is felt where many processes start on a host.
 */
final class PmixLibrary {
    /** Another file than the one that the dynamic linker finds. */
    static final String FILE = "JFABRIC_PMIX_LIBRARY";
    private static final String SONAME = "libpmix.so.2";
    private static final Linker LINKER = Linker.nativeLinker();
    private static final long RTLD_DEFAULT = 0;
    private static final int MOST_ARGUMENTS = 7;
    private static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            Collections.nCopies(MOST_ARGUMENTS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new)));
    private static final long LONGEST_STRING = 1024;

    private final MemorySegment init;
    private final MemorySegment finish;
    private final MemorySegment put;
    private final MemorySegment commit;
    private final MemorySegment fence;
    private final MemorySegment get;
    private final MemorySegment register;
    private final MemorySegment abort;
    private final MemorySegment errorString;
    private final MemorySegment free;

    PmixLibrary(Map<String, String> environment) {
        String file = environment.getOrDefault(FILE, SONAME);
        try {
            SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
            init = symbols.findOrThrow("PMIx_Init");
            finish = symbols.findOrThrow("PMIx_Finalize");
            put = symbols.findOrThrow("PMIx_Put");
            commit = symbols.findOrThrow("PMIx_Commit");
            fence = symbols.findOrThrow("PMIx_Fence");
            get = symbols.findOrThrow("PMIx_Get");
            register = symbols.findOrThrow("PMIx_Register_event_handler");
            abort = symbols.findOrThrow("PMIx_Abort");
            errorString = symbols.findOrThrow("PMIx_Error_string");
            free = allocatorsFree();
        } catch (IllegalArgumentException | NoSuchElementException e) {
            throw new JobException("join: the launcher offers PMIx, but " + file + " cannot be loaded ("
                    + e.getMessage() + "): install it (Debian: libpmix2), set " + FILE
                    + " to the launcher's own, or choose another way with JFABRIC_LAUNCH", e);
        }
    }

    /** That of an allocator the process was started with, where there is one: PMIx allocates there, too. */
    private static MemorySegment allocatorsFree() {
        try (Arena arena = Arena.ofConfined()) {
            return MemorySegment.ofAddress(call(LINKER.defaultLookup().findOrThrow("dlsym"), RTLD_DEFAULT,
                    arena.allocateFrom("free").address()));
        }
    }

    private static long call(MemorySegment function, long... arguments) {
        long[] a = Arrays.copyOf(arguments, MOST_ARGUMENTS);
        try {
            return (long) CALL.invokeExact(function, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    int init(MemorySegment proc) {
        return (int) call(init, proc.address());
    }

    int finish() {
        return (int) call(finish);
    }

    int put(MemorySegment key, MemorySegment value) {
        return (int) call(put, Structs.GLOBAL, key.address(), value.address());
    }

    int commit() {
        return (int) call(commit);
    }

    int fence(MemorySegment procs, long count, MemorySegment infos, long infoCount) {
        return (int) call(fence, procs.address(), count, infos.address(), infoCount);
    }

    int get(MemorySegment proc, MemorySegment key, MemorySegment infos, long infoCount, MemorySegment result) {
        return (int) call(get, proc.address(), key.address(), infos.address(), infoCount, result.address());
    }

    int abort(int code, MemorySegment message) {
        return (int) call(abort, code, message.address());
    }

    int register(MemorySegment codes, long count, MemorySegment handler) {
        return (int) call(register, codes.address(), count, 0, 0, handler.address());
    }

    void free(MemorySegment memory) {
        call(free, memory.address());
    }

    /** PMIx's text for a status. */
    String text(int status) {
        MemorySegment text = MemorySegment.ofAddress(call(errorString, status));
        return text.reinterpret(LONGEST_STRING).getString(0) + " (" + status + ")";
    }
}
