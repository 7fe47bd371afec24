// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.FabricException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What a call may end with, and when. Findings go to a file, each kind once. */
final class Oracle {
    /** No call is asked to wait for more than some milliseconds. */
    private static final long LATE = TimeUnit.SECONDS.toNanos(5);
    private static final int FRAMES = 6;

    private final Path file;
    private final Ring ring;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    Oracle(Path file, Ring ring) {
        this.file = file;
        this.ring = ring;
    }

    void judge(Target target, Throwable t) {
        judge(target.name(), target.isGeneric(), t);
    }

    void judge(String name, boolean generic, Throwable t) {
        if (isDocumented(t, generic)) {
            return;
        }
        ring.count(Ring.Number.UNDOCUMENTED);
        StackTraceElement[] stack = t.getStackTrace();
        String place = Arrays.stream(stack).filter(f -> f.getClassName().startsWith("io.jfabric.")
                && !f.getClassName().startsWith("io.jfabric.fuzz.")).findFirst().map(Object::toString).orElse("?");
        StringBuilder text = new StringBuilder("undocumented: ").append(name).append(" threw ").append(t);
        for (int i = 0; i < Math.min(stack.length, FRAMES); i++) {
            text.append("\n    ").append(stack[i]);
        }
        tell(t.getClass().getSimpleName() + name + place, text.toString());
    }

    private static boolean isDocumented(Throwable t, boolean generic) {
        return switch (t) {
            case FabricException e -> e.getMessage() != null;
            case IllegalArgumentException e -> true;
            case IllegalStateException e -> true;
            case IndexOutOfBoundsException e -> true;
            case UnsupportedOperationException e -> true;
            case RuntimeException e when Also.isOurs(e.getClass()) -> e.getMessage() != null;
            case Handlers.FromCallback e -> true;
            // the JVM's own texts tell of what the code did not look at
            case NullPointerException e -> e.getMessage() != null && !e.getMessage().startsWith("Cannot ");
            case WrongThreadException e -> e.getMessage() != null && !e.getMessage().startsWith("Attempted ");
            case OutOfMemoryError e -> e.getMessage() != null && e.getMessage().startsWith("FabricArena:");
            case ClassCastException e -> generic;
            default -> false;
        };
    }

    void timed(Target target, long nanos) {
        if (nanos > LATE && nanos > LATE * crowd()) {
            ring.count(Ring.Number.LATE);
            tell("late" + target.name(), "late: " + target.name() + " came back after "
                    + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        }
    }

    /** How many want each CPU: on a busy machine everything takes longer. */
    private static double crowd() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return 2 * system.getSystemLoadAverage() / system.getAvailableProcessors();
    }

    void broken(String what) {
        ring.count(Ring.Number.BROKEN);
        tell("broken" + what, "broken:" + what);
    }

    private void tell(String kind, String text) {
        if (told.add(kind)) {
            try {
                Files.writeString(file, text + '\n', StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
