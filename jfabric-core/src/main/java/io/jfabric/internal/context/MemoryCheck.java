// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.MemoryRegion;
import io.jfabric.internal.clock.Setting;
import io.jfabric.internal.ffi.Log;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reports memory that was freed while a provider could still use it: arenas of the JDK can be closed under an operation
 * or a memory region, and nothing can prevent that; buffers of a pool can be given back under an operation. Only for
 * finding such mistakes, with {@code -Djfabric.checkMemory=true}: it keeps a stack trace of each operation. When off it
 * costs nothing.
 *
 * <p>Checked before each poll, which then throws instead of letting the provider go on, and when an operation ends.
 * Each mistake is reported once, and logged. Operations that report no completion are not watched. Any thread.
 */
public final class MemoryCheck {
    public static final boolean ON = Setting.isOn("jfabric.checkMemory");
    private static final Log LOG = Log.of(MemoryRegion.class);
    private static final String INSIDE = "io.jfabric.internal.";

    /** What is under way or open. */
    private static final class Watched {
        private final Set<MemorySegment.Scope> scopes = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<MemorySegment> segments = new ArrayList<>();
        private final Throwable place;
        private final String what;
        private boolean reported;

        Watched(Object kept, String what, Throwable place) {
            KeptMemory.forEach(kept, segment -> {
                scopes.add(segment.scope());
                segments.add(segment);
            });
            this.what = what;
            this.place = place;
        }

        boolean isWrong() {
            return !reported && scopes.stream().anyMatch(scope -> !scope.isAlive());
        }

        boolean uses(MemorySegment memory) {
            return segments.stream().anyMatch(segment -> segment.asOverlappingSlice(memory).isPresent());
        }

        IllegalStateException report(String when) {
            reported = true;
            return report("memory was freed under ", ": its arena was closed " + when + ". The provider may have "
                    + "written to memory that has another owner by now. Keep the arena open longer, or allocate from "
                    + "Domain.openArena()");
        }

        IllegalStateException report(String mistake, String consequence) {
            IllegalStateException report = new IllegalStateException(mistake + what + consequence, place);
            LOG.error("{}", report.getMessage(), place);
            return report;
        }
    }

    private final Map<Object, Watched> watched = new IdentityHashMap<>();

    /** An operation has taken a slot. */
    synchronized void posted(ContextSlot slot, ContextSlab slab) {
        if (slot.kept != null) {
            Throwable place = new Throwable("posted here");
            watched.put(slot, new Watched(slot.kept, operation(place) + " with context " + slot.context + " of " + slab,
                    place));
        }
    }

    /** A region was registered. The key must not refer to it. */
    public synchronized void registered(Object key, String region, List<MemorySegment> buffers) {
        watched.put(key, new Watched(buffers, region, new Throwable("registered here")));
    }

    /** The operation has completed, or its endpoint is closed; the region is closed. */
    public synchronized void over(Object slotOrRegion) {
        Watched w = watched.remove(slotOrRegion);
        if (w != null && w.isWrong()) {
            w.report("before it was over");
        }
    }

    /** A buffer of a pool is about to get another user. */
    public synchronized void givenBack(MemorySegment buffer) {
        for (Map.Entry<Object, Watched> entry : watched.entrySet()) {
            // a region stays registered with the pool
            if (entry.getKey() instanceof ContextSlot && entry.getValue().uses(buffer)) {
                throw entry.getValue().report("a pooled buffer was given back under ", ", which still sends from it or "
                        + "writes to it: close it when the operation is over, see Node.released. The pool does not "
                        + "give it to anybody else");
            }
        }
    }

    /** To be called before the provider may go on. */
    public synchronized void look() {
        List<IllegalStateException> mistakes = new ArrayList<>();
        for (Watched w : watched.values()) {
            if (w.isWrong()) {
                mistakes.add(w.report("while that is not over"));
            }
        }
        if (!mistakes.isEmpty()) {
            IllegalStateException first = mistakes.getFirst();
            mistakes.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** The jfabric method that the program called; what an engine posts was started elsewhere. */
    private static String operation(Throwable place) {
        String last = "operation";
        for (StackTraceElement frame : place.getStackTrace()) {
            String type = frame.getClassName();
            if (!type.startsWith(INSIDE)) {
                return type.startsWith("java.lang.") ? "an operation" : last;
            }
            last = type.substring(type.lastIndexOf('.') + 1).replaceAll("^(Plain|Prepared)|Impl$", "") + '.'
                    + frame.getMethodName();
        }
        return last;
    }
}
