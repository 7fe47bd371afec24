// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import io.jfabric.bindings.pmix.Pmix;
import io.jfabric.bindings.pmix.pmix_info;
import io.jfabric.bindings.pmix.pmix_proc;
import io.jfabric.bindings.pmix.pmix_value;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.internal.session.Watcher;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What PMIx's own thread tells about processes that die, where the launcher lets the others live. */
final class PmixEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PmixEvents.class);
    /** {@code pmix_notification_fn_t}. */
    private static final FunctionDescriptor HANDLER = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    /** {@code pmix_event_notification_cbfunc_fn_t}. */
    private static final FunctionDescriptor DONE = FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);

    private final PmixLibrary library;
    private final Watcher watcher;
    private final ExecutorService executor;
    private final IntFunction<String> hosts;

    PmixEvents(PmixLibrary library, Watcher watcher, ExecutorService executor, IntFunction<String> hosts) {
        this.library = library;
        this.watcher = watcher;
        this.executor = executor;
        this.hosts = hosts;
    }

    void register() {
        try {
            MethodHandle method = MethodHandles.lookup().bind(this, "happened", MethodType.methodType(void.class,
                    long.class, int.class, long.class, long.class, long.class, long.class, long.class, long.class,
                    long.class));
            // lives as long as the library, whose thread may call at any time
            MemorySegment stub = Linker.nativeLinker().upcallStub(method, HANDLER, Arena.global());
            MemorySegment codes = Arena.global().allocateFrom(ValueLayout.JAVA_INT, Pmix.PMIX_ERR_PROC_ABORTED(),
                    Pmix.PMIX_ERR_PROC_TERM_WO_SYNC(), Pmix.PMIX_ERR_LOST_CONNECTION());
            int status = library.register(codes, codes.byteSize() / Integer.BYTES, stub);
            LOG.debug("events of PMIx: {}", status);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Must not throw, which would end the JVM, and must not wait: it is PMIx's only thread. */
    @SuppressWarnings("unused") // by its name, above
    private void happened(long id, int status, long source, long infos, long infoCount, long results, long resultCount,
            long callback, long data) {
        try {
            int rank = affected(MemorySegment.ofAddress(source), MemorySegment.ofAddress(infos), infoCount);
            String reason = "PMIx says " + library.text(status);
            boolean launcher = status == Pmix.PMIX_ERR_LOST_CONNECTION();
            executor.execute(() -> watcher.lost(launcher
                    ? new LostRank(-1, "this host", "the connection to it is lost")
                    : new LostRank(rank, hosts.apply(rank), reason)));
            if (callback != 0) {
                MethodHandle done = Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(callback), DONE);
                done.invokeExact(Pmix.PMIX_EVENT_ACTION_COMPLETE(), 0L, 0L, 0L, 0L, data);
            }
        } catch (Throwable e) {
            LOG.error("an event of PMIx could not be told", e);
        }
    }

    private static int affected(MemorySegment source, MemorySegment infos, long count) {
        String wanted = Pmix.PMIX_EVENT_AFFECTED_PROC().getString(0);
        MemorySegment all = infos.reinterpret(count * pmix_info.sizeof());
        for (long i = 0; i < count; i++) {
            MemorySegment info = pmix_info.asSlice(all, i);
            MemorySegment value = pmix_info.value(info);
            if (info.getString(pmix_info.key$offset()).equals(wanted) && pmix_value.type(value) == Pmix.PMIX_PROC()) {
                return rank(pmix_value.data.proc(pmix_value.data(value)));
            }
        }
        return source.address() == 0 ? -1 : rank(source);
    }

    private static int rank(MemorySegment proc) {
        return pmix_proc.rank(proc.reinterpret(pmix_proc.sizeof()));
    }
}
