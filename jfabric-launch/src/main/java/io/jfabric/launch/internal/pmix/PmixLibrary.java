// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.bindings.pmix.Pmix;
import io.jfabric.launch.JobException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The functions of {@code libpmix.so.2}. It is loaded once and stays. Pointers are passed as long, and the callers keep
 * the memory: calls with segments need a dozen classes more for each shape, made at every start, which is felt where
 * many processes start on a host.
 */
final class PmixLibrary {
    /** Another file than the one that the dynamic linker finds. */
    static final String FILE = "JFABRIC_PMIX_LIBRARY";
    private static final String SONAME = "libpmix.so.2";
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout PTR = ValueLayout.JAVA_LONG;
    private static final MemoryLayout SIZE = ValueLayout.JAVA_LONG;
    private static final MemoryLayout STATUS = ValueLayout.JAVA_INT;
    private static final long LONGEST_STRING = 1024;

    private final MethodHandle init;
    private final MethodHandle finish;
    private final MethodHandle put;
    private final MethodHandle commit;
    private final MethodHandle fence;
    private final MethodHandle get;
    private final MethodHandle register;
    private final MethodHandle free;
    private final SymbolLookup symbols;

    PmixLibrary(Map<String, String> environment) {
        String file = environment.getOrDefault(FILE, SONAME);
        try {
            symbols = SymbolLookup.libraryLookup(file, Arena.global());
            init = handle(symbols, "PMIx_Init", PTR, PTR, SIZE);
            finish = handle(symbols, "PMIx_Finalize", PTR, SIZE);
            put = handle(symbols, "PMIx_Put", ValueLayout.JAVA_BYTE, PTR, PTR);
            commit = handle(symbols, "PMIx_Commit");
            fence = handle(symbols, "PMIx_Fence", PTR, SIZE, PTR, SIZE);
            get = handle(symbols, "PMIx_Get", PTR, PTR, PTR, SIZE, PTR);
            register = handle(symbols, "PMIx_Register_event_handler", PTR, SIZE, PTR, SIZE, PTR, PTR, PTR);
            free = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(PTR));
        } catch (IllegalArgumentException | NoSuchElementException e) {
            throw new JobException("join: the launcher offers PMIx, but " + file + " cannot be loaded ("
                    + e.getMessage() + "): install it (Debian: libpmix2), set " + FILE
                    + " to the launcher's own, or choose another way with JFABRIC_LAUNCH", e);
        }
    }

    private static MethodHandle handle(SymbolLookup symbols, String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(STATUS, arguments));
    }

    /** Exact calls only: others are not ready before many classes have been made, which is felt at each start. */
    private interface Call {
        int run() throws Throwable;
    }

    private static int call(Call call) {
        try {
            return call.run();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    int init(MemorySegment proc) {
        return call(() -> (int) init.invokeExact(proc.address(), 0L, 0L));
    }

    int finish() {
        return call(() -> (int) finish.invokeExact(0L, 0L));
    }

    int put(MemorySegment key, MemorySegment value) {
        return call(() -> (int) put.invokeExact((byte) Pmix.PMIX_GLOBAL(), key.address(), value.address()));
    }

    int commit() {
        return call(() -> (int) commit.invokeExact());
    }

    int fence(MemorySegment procs, long count, MemorySegment infos, long infoCount) {
        return call(() -> (int) fence.invokeExact(procs.address(), count, infos.address(), infoCount));
    }

    int get(MemorySegment proc, MemorySegment key, MemorySegment infos, long infoCount, MemorySegment result) {
        return call(() -> (int) get.invokeExact(proc.address(), key.address(), infos.address(), infoCount,
                result.address()));
    }

    int abort(int code, MemorySegment message) {
        MethodHandle abort = handle(symbols, "PMIx_Abort", STATUS, PTR, PTR, SIZE);
        return call(() -> (int) abort.invokeExact(code, message.address(), 0L, 0L));
    }

    int register(MemorySegment codes, long count, MemorySegment handler) {
        return call(() -> (int) register.invokeExact(codes.address(), count, 0L, 0L, handler.address(), 0L, 0L));
    }

    void free(MemorySegment memory) {
        try {
            free.invokeExact(memory.address());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** PMIx's text for a status. */
    String text(int status) {
        MethodHandle errorString = LINKER.downcallHandle(symbols.findOrThrow("PMIx_Error_string"),
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, STATUS));
        try {
            MemorySegment text = MemorySegment.ofAddress((long) errorString.invokeExact(status));
            return text.reinterpret(LONGEST_STRING).getString(0) + " (" + status + ")";
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
