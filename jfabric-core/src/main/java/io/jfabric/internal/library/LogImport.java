// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_ops_log;
import io.jfabric.bindings.fid;
import io.jfabric.bindings.fid_logging;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ops.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Takes libfabric's log lines ({@code fi_import_log}).
 *
 * <p>The callback runs in any thread, provider threads included, under provider locks: it never throws, which would
 * end the VM, and must not call libfabric. It must be taken back before the VM ends: libfabric logs in its destructor,
 * when no thread can enter Java any more.
 */
public final class LogImport {
    /** Offset of {@code fi_provider.name}. */
    private static final long PROVIDER_NAME = 40;
    /** Its memory is libfabric's until closed, its stub forever: a line may be on its way. */
    private static final MemorySegment FID = fid_logging.allocate(Arena.global());
    private static volatile Sink sink;
    private static boolean prepared;

    private LogImport() {
    }

    /** Takes the lines. */
    @FunctionalInterface
    public interface Sink {
        void log(String provider, int level, int subsystem, String function, int line, String message);
    }

    /** Starts; returns 0 or, if somebody has them already, {@code -FI_EALREADY}. */
    public static synchronized int open(Sink newSink) {
        prepare();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            int error = Exports.open(NativeLibrary.apiVersion(), arena.allocateFrom("logging").address(), 0, 0,
                    0, result.address(), 0);
            if (error != 0) {
                return error;
            }
            sink = newSink;
            long importer = result.get(JAVA_LONG, 0);
            error = FidOps.bind(importer, FID.address(), 0);
            FidOps.close(importer);
            return error;
        }
    }

    /** Gives the lines back to stderr. */
    public static synchronized int close() {
        int result = FidOps.close(FID.address());
        sink = null;
        return result;
    }

    private static void prepare() {
        if (prepared) {
            return;
        }
        MethodHandle target;
        try {
            target = MethodHandles.lookup().findStatic(LogImport.class, "log", MethodType.methodType(void.class,
                    long.class, int.class, int.class, long.class, int.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the log callback is missing", e);
        }
        MemorySegment stub = Linker.nativeLinker().upcallStub(target,
                FunctionDescriptor.ofVoid(L, I, I, L, I, L), Arena.global());
        // only "log": without "enabled" and "ready" the filters stay in C, and lines that nobody wants cost nothing
        MemorySegment ops = fi_ops_log.allocate(Arena.global());
        fi_ops_log.size(ops, fi_ops_log.sizeof());
        fi_ops_log.log(ops, stub);
        fid.fclass(fid_logging.fid(FID), Libfabric.FI_CLASS_LOG());
        fid_logging.ops(FID, ops);
        prepared = true;
    }

    private static void log(long provider, int level, int subsystem, long function, int line, long message) {
        try {
            Sink to = sink;
            if (to != null) {
                String name = provider == 0 ? "core" : Memory.string(Memory.getLong(provider + PROVIDER_NAME));
                String text = Memory.string(message);
                to.log(name == null ? "core" : name, level, subsystem, Memory.string(function), line,
                        text == null ? "" : text.stripTrailing());
            }
        } catch (Throwable t) {
            // nobody above could take it: an exception that leaves an upcall ends the VM
        }
    }
}
