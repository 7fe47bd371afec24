// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;

import io.jfabric.internal.ffi.Log;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What profiles call when something happens ({@code fi_profile_register_callback}).
 *
 * <p>Callbacks cannot be unregistered, and providers keep calling them after {@code fi_profile_close}: so
 * there is one stub forever, and a removed callback is no longer found by its context.
 */
public final class ProfileCallbacks {
    private static final Log LOG = Log.of("io.jfabric.Profile");
    private static final Map<Long, Sink> SINKS = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private ProfileCallbacks() {
    }

    /** Takes what came with the event; the address may be 0. */
    @FunctionalInterface
    public interface Sink {
        void happened(long data, long size);
    }

    /** Made when the first callback is registered: most programs have none. */
    private static final class Stub {
        static final long ADDRESS = make();

        private static long make() {
            try {
                MethodHandle target = MethodHandles.lookup().findStatic(ProfileCallbacks.class, "happened",
                        MethodType.methodType(int.class, long.class, long.class, long.class, long.class, long.class));
                return Linker.nativeLinker().upcallStub(target, FunctionDescriptor.of(I, L, L, L, L, L),
                        Arena.global()).address();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the profile callback is missing", e);
            }
        }
    }

    /** Registers a callback; returns the id for {@link #remove}, or a negative error. */
    public static long add(long profile, int event, Sink sink) {
        long id = LAST.incrementAndGet();
        SINKS.put(id, sink);
        int result = ProfileOps.registerCallback(profile, event, Stub.ADDRESS, id);
        if (result < 0) {
            SINKS.remove(id);
            return result;
        }
        return id;
    }

    /** From here on the callback is not called any more, but may still be running in another thread. */
    public static void remove(long id) {
        SINKS.remove(id);
    }

    private static int happened(long profile, long event, long data, long size, long context) {
        try {
            Sink sink = SINKS.get(context);
            if (sink != null) {
                sink.happened(data, size);
            }
        } catch (Throwable t) {
            // an exception that leaves an upcall ends the VM
            complain(t);
        }
        return 0;
    }

    private static void complain(Throwable thrown) {
        try {
            LOG.warn("the callback of a profile failed", thrown);
        } catch (Throwable t) {
            // nobody is left to tell
        }
    }
}
