// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Ticks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The places of a node's callers for answers that they are ready to receive in advance. Each is kept until the answer
 * has come or cannot come any more: when that is depends on the handler, and a payload that nobody receives blocks all
 * that comes after it.
 */
public final class EarlyRooms {
    /** One in so many of the node's receives may be used here. */
    private static final int SHARE = 4;
    /** How long a call may take at most for its answer to be received early. */
    private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
    /** After its call's deadline a service sends no answer there; within this time all it sent before has arrived. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(40);

    private final Discards discards;
    private final int most;
    /** Per node, as discards go on when all its callers and services are closed and others are opened. */
    private final AtomicInteger taken;

    private static final class Taken {
        private final AtomicInteger places = new AtomicInteger();
    }

    EarlyRooms(Wire wire, Discards discards) {
        this.discards = discards;
        this.most = wire.receives() / SHARE;
        this.taken = wire.node.attached(Taken.class, node -> new Taken()).places;
    }

    /** Takes a place for a call that has so many nanoseconds left; false if there is none. */
    public boolean take(long left) {
        if (left > LONGEST) {
            return false;
        }
        if (taken.getAndIncrement() < most) {
            return true;
        }
        giveBack();
        return false;
    }

    /** The answer has come, or an empty payload in its place; or the service was not told of the place. */
    public void giveBack() {
        taken.getAndDecrement();
    }

    /** The call is over, or will be at its deadline: receives what may still come, and then gives the place back. */
    public void discard(long size, long tag, Duration left) {
        discard(size, tag, Clock.after(left.toNanos() + PATIENCE), Discards.PAUSE);
    }

    private void discard(long size, long tag, long end, long pause) {
        Wire.Incoming incoming = discards.receive(size, tag, Duration.ofNanos(Clock.left(end)));
        if (incoming == null) {
            giveBack();
        } else if (Discards.isRefused(incoming) && !Clock.isPast(end)) {
            Ticks.once(pause, () -> discard(size, tag, end, Math.min(2 * pause, Discards.MOST_PAUSE)));
        } else {
            incoming.received().whenComplete((done, failure) -> giveBack());
        }
    }
}
