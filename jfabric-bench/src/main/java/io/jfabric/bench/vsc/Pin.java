// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Pins a thread, and not the JVM's compiler and collector with it, as taskset would. */
public final class Pin {
    private static final long SET_BYTES = 128;

    private Pin() {
    }

    /** The calling thread runs on this CPU from now on; -1 changes nothing. */
    public static void toCpu(int cpu) {
        if (cpu < 0) {
            return;
        }
        Linker linker = Linker.nativeLinker();
        var call = linker.downcallHandle(linker.defaultLookup().findOrThrow("sched_setaffinity"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, 8);
            set.set(ValueLayout.JAVA_BYTE, cpu / 8, (byte) (1 << cpu % 8));
            if ((int) call.invokeExact(0, SET_BYTES, set) != 0) {
                System.err.println("bench: the thread could not be pinned to CPU " + cpu);
            }
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
