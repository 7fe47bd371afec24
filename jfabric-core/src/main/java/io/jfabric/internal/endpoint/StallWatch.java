// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Endpoint;
import io.jfabric.OperationStatistics;
import io.jfabric.internal.clock.Setting;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.context.OperationStatisticsImpl;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.watch.HeldUp;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Looks now and then whether endpoints get on, and if one does not, logs once what seems wrong: C tells nothing to a
 * program that never polls, ignores that an operation was not taken, or talks to nobody. Only if asked for by the
 * property {@code jfabric.watchSeconds}, as it takes a thread of its own while there are endpoints; it reads counts
 * that are there anyway.
 */
final class StallWatch {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final long SECONDS = Setting.number("jfabric.watchSeconds", 0);

    private static Thread thread;
    /** Whether an endpoint came since {@link #goesOn} was last called: the look before that may have missed it. */
    private static boolean begun;

    private final Map<EndpointImpl, Seen> seen = new WeakHashMap<>();

    private StallWatch() {
    }

    /** What can be the matter. */
    private enum Stall {
        BUSY, IGNORED, UNPOLLED, UNMATCHED
    }

    /** What was seen of an endpoint the last time, and what was told. */
    private static final class Seen {
        OperationStatistics last = OperationStatisticsImpl.NONE;
        final Set<Stall> told = EnumSet.noneOf(Stall.class);
    }

    /** An endpoint is about to be used. */
    static synchronized void begin() {
        begun = true;
        if (SECONDS > 0 && thread == null) {
            thread = Thread.ofPlatform().daemon().name("jfabric-watch").unstarted(new StallWatch()::run);
            thread.setContextClassLoader(null);
            thread.start();
        }
    }

    /** Whether to go on. */
    private static synchronized boolean goesOn(boolean anyOpen) {
        boolean on = anyOpen || begun;
        begun = false;
        if (!on) {
            thread = null;
        }
        return on;
    }

    private void run() {
        boolean[] any = {true};
        do {
            try {
                TimeUnit.SECONDS.sleep(SECONDS);
            } catch (InterruptedException e) {
                // nobody has a reason to interrupt it
            }
            any[0] = false;
            Leaks.eachOpen(EndpointImpl.class, endpoint -> {
                any[0] = true;
                if (endpoint.isEnabled()) {
                    look(endpoint, seen.computeIfAbsent(endpoint, e -> new Seen()));
                }
            });
        } while (goesOn(any[0]));
    }

    private static void look(EndpointImpl endpoint, Seen seen) {
        Contexts contexts = endpoint.state().contexts();
        OperationStatistics now = contexts.statistics();
        OperationStatistics last = seen.last;
        seen.last = now;
        if (now.posted() != last.posted() || now.completed() != last.completed()) {
            return;
        }
        int transfers = contexts.transmits().busy();
        if (now.busy() > last.busy()) {
            if (seen.told.add(Stall.BUSY)) {
                LOG.warn("{}: in the last {} s the provider took none of {} operations (their methods returned false): "
                        + "the peer cannot be reached, is gone or does not poll, or nobody polls the completion queue "
                        + "here", endpoint, SECONDS, now.busy() - last.busy());
            }
        } else if (contexts.endedInRefusal() && seen.told.add(Stall.IGNORED)) {
            LOG.warn("{}: the last operation was not taken (its method returned false) and was not repeated since: was "
                    + "the result ignored? The first operation to a peer often needs several attempts, with polls in "
                    + "between", endpoint);
        } else if (transfers > 0 && seen.told.add(Stall.UNPOLLED)) {
            LOG.warn("{}: {} sends or transfers are under way, and none has completed for {} s: {}", endpoint,
                    transfers, SECONDS, or("progress is made only while both sides poll their completion queues"));
        } else if (transfers == 0 && now.underWay() > 0 && seen.told.add(Stall.UNMATCHED)) {
            LOG.info("{}: {} receives wait, and nothing has come in for {} s: {}", endpoint, now.underWay(), SECONDS,
                    or("is the queue polled, does the peer send to this endpoint, with a tag that matches?"));
        }
    }

    /** The usual reason, or one that is known. */
    private static String or(String reason) {
        String names = HeldUp.names();
        return names.isEmpty() ? reason : "does it wait for " + names + ", in which a callback blocks (a warning tells "
                + "which)? Else: " + reason;
    }
}
