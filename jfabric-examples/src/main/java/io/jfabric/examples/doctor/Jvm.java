// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.jfabric.Fabric;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How the JVM was started, and whether its signals are still its own. */
final class Jvm {
    private static final Map<String, Integer> SIGNALS = Map.of("SIGSEGV", 11, "SIGBUS", 7, "SIGFPE", 8, "SIGILL", 4);
    private static final int ACTION_BYTES = 256;

    private Jvm() {
    }

    static List<Check> checks() {
        return List.of(Check.ok("java", Runtime.version() + " of " + System.getProperty("java.vendor")
                + ", " + System.getProperty("java.home")), nativeAccess(), barrier(), signals());
    }

    private static Check nativeAccess() {
        return Fabric.class.getModule().isNativeAccessEnabled()
                ? Check.ok("native-access", "allowed to " + (Fabric.class.getModule().isNamed() ? "io.jfabric"
                        : "the class path"))
                : Check.warning("native-access", "not allowed by the command line", "later JDKs will refuse: "
                        + "--enable-native-access=ALL-UNNAMED, or io.jfabric,io.jfabric.bindings on the module path");
    }

    private static Check barrier() {
        HotSpotDiagnosticMXBean flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        String name = "UseSystemMemoryBarrier";
        try {
            return Boolean.parseBoolean(flags.getVMOption(name).getValue()) ? Check.ok("jvm-flags", name + " is on")
                    : Check.warning("jvm-flags", name + " is off", "-XX:+" + name + " makes each call into libfabric "
                            + "some nanoseconds cheaper");
        } catch (IllegalArgumentException unknown) {
            return Check.ok("jvm-flags", "this JVM does not know " + name);
        }
    }

    /** A provider that keeps SIGSEGV makes the next null dereference the end of the process. */
    private static Check signals() {
        Map<String, String> taken = SIGNALS.keySet().stream().collect(Collectors.toMap(name -> name,
                name -> owner(SIGNALS.get(name))));
        List<String> foreign = taken.entrySet().stream()
                .filter(entry -> !entry.getValue().contains("libjvm") && !entry.getValue().contains("libjsig"))
                .map(entry -> entry.getKey() + ": " + entry.getValue()).sorted().toList();
        return foreign.isEmpty() ? Check.ok("signals", "all the JVM's, after libfabric was loaded")
                : Check.warning("signals", String.join(", ", foreign), "LD_PRELOAD=$JAVA_HOME/lib/libjsig.so keeps "
                        + "them for the JVM");
    }

    private static String owner(int signal) {
        Linker linker = Linker.nativeLinker();
        MethodHandle sigaction = linker.downcallHandle(linker.defaultLookup().findOrThrow("sigaction"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment action = arena.allocate(ACTION_BYTES, Long.BYTES);
            int result = (int) sigaction.invokeExact(signal, MemorySegment.NULL, action);
            // the handler comes first
            long handler = action.get(ValueLayout.JAVA_LONG, 0);
            return result != 0 ? "unknown" : handler == 0 ? "nobody" : Proc.mappedAt(handler).orElse("unknown");
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
