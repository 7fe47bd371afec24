// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricObject;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ops.FidOps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Objects that are closed for Java, but not yet by the provider, since open ones may still use their memory: endpoints
 * of one process that know each other. The objects that they need wait with them. Each is closed as soon as no open
 * object knows it; one that {@link Neighbours#mustStay} never is.
 * <p>Used under the family's lock.
 */
public final class Parking {
    private static final Log LOG = Log.of(FabricObject.class);
    private static final AtomicInteger UNSETTLED = new AtomicInteger();

    private final List<Parked> parked = new ArrayList<>();
    private final List<AddressSpace> taken = new ArrayList<>();
    /** Those with something still under way. */
    private final Set<FidObject> unsettled = new HashSet<>();
    /** Those that were due, but that the provider did not close. */
    private final Set<FidObject> refused = new HashSet<>();

    private record Parked(FidObject object, long fid, Set<FidObject> needs) {
    }

    /** Whether the provider must not close it yet. */
    boolean mustWait(FidObject object) {
        return isReferred(object) || parked.stream().anyMatch(p -> p.needs.contains(object));
    }

    private static boolean isReferred(FidObject object) {
        Neighbours neighbours = object.neighbours();
        return neighbours != null && (neighbours.mustStay() || neighbours.isReferred());
    }

    /** Closes it later. */
    void add(FidObject object, long fid) {
        parked.add(new Parked(object, fid, object.needs()));
        object.gone(fid);
        unsettled.add(object);
        UNSETTLED.incrementAndGet();
        if (object.parked(fid)) {
            settle(object);
        }
    }

    private void settle(FidObject object) {
        if (unsettled.remove(object)) {
            UNSETTLED.decrementAndGet();
        }
    }

    /** Whether any family may have parked objects whose operations are over by now. */
    public static boolean hasUnsettled() {
        return UNSETTLED.get() > 0;
    }

    /** Runs the action after a look at what may have ended since, while no thread is in an operation or a poll. */
    void settled(Runnable action) {
        if (!unsettled.isEmpty()) {
            parked.stream().filter(p -> unsettled.contains(p.object) && p.object.parked(p.fid))
                    .forEach(p -> settle(p.object));
        }
        action.run();
    }

    /**
     * {@code fi_close}. Puts dummy memory where the object's was: those that wait may write there when they are closed.
     */
    long close(FidObject object, long fid) {
        Neighbours neighbours = parked.isEmpty() ? null : object.neighbours();
        List<AddressSpace> memory = neighbours == null ? List.of() : neighbours.memory();
        long result = FidOps.close(fid);
        if (result == 0) {
            // first of all: whatever fails below, nobody closes it once more, and its parent can be closed
            object.gone(fid);
            memory.stream().filter(AddressSpace::take).forEach(taken::add);
        }
        return result;
    }

    /** Closes what need not wait any more; in the order of closing, so that what others need comes last. */
    void closeSome() {
        boolean closed = !parked.isEmpty();
        while (closed) {
            closed = false;
            for (Iterator<Parked> it = parked.iterator(); it.hasNext();) {
                Parked next = it.next();
                if (isReferred(next.object) || parked.stream().anyMatch(p -> p.needs.contains(next.object))) {
                    continue;
                }
                long left = Ending.closingLast(next.object);
                long result = left < 0 ? left : close(next.object, next.fid);
                if (left < 0 || Ending.isRefusal(next.object, result)) {
                    refused(next, result);
                    continue;
                }
                it.remove();
                refused.remove(next.object);
                settle(next.object);
                Ending.end(next.object, next.fid, result);
                closed = true;
            }
        }
        if (parked.isEmpty()) {
            taken.forEach(AddressSpace::free);
            taken.clear();
        }
    }

    /** Nobody is left to tell, or to close it again: that is tried for a while, and with each close. */
    private void refused(Parked next, long result) {
        if (refused.add(next.object)) {
            LOG.warn("a {} that is closed stays with the provider for now", next.object.kind(),
                    Ending.failure(next.object, result, "it is tried again for a minute, and with each close"));
            Leftover.later(() -> triedAgain(next));
        }
    }

    private boolean triedAgain(Parked next) {
        AtomicBoolean over = new AtomicBoolean();
        next.object.exclusively(() -> {
            closeSome();
            over.set(!parked.contains(next));
        });
        return over.get();
    }
}
