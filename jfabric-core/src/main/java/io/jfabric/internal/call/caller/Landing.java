// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricException;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.context.OpenArenas;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * An answer on its way into memory of the program's. While the provider may write there the call's future is not done,
 * whoever wants to end it: as soon as it is, the program may free that memory or use it for something else. But a peer
 * that has stopped may never let go: where the memory cannot be freed before that, the future does not wait for long.
 */
final class Landing {
    /** For how long who gives up waits for the end, so that the future is done when that returns, if it can be. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(10);

    /** For how long nothing but the provider's end ends a call that has failed, in milliseconds. */
    private static final long PATIENCE = 2000;

    private final Outgoing<?> call;
    private final NodeImpl node;
    private Wire.Incoming incoming;
    /** How the program wants it to end; null as long as it does not. */
    private BooleanSupplier instead;
    private boolean over;
    /** Whether the future was done, and the memory not given back. */
    private boolean early;

    Landing(Outgoing<?> call, NodeImpl node) {
        this.call = call;
        this.node = node;
    }

    /** It is being received; unless the program does not want it any more. */
    void posted(Wire.Incoming underWay) {
        boolean unwanted;
        synchronized (this) {
            incoming = underWay;
            unwanted = instead != null;
        }
        if (unwanted) {
            underWay.cancel();
        }
    }

    /**
     * Ends the call's future as soon as nothing can come into the memory.
     *
     * @param how completes the future
     * @return whether that has ended it at once
     */
    boolean giveUp(BooleanSupplier how) {
        boolean isOver;
        Wire.Incoming underWay;
        synchronized (this) {
            if (early || !over && instead != null) {
                return false;
            }
            isOver = over;
            instead = how;
            underWay = incoming;
        }
        if (isOver) {
            return how.getAsBoolean();
        }
        // who posts it will find out
        if (underWay != null) {
            underWay.cancel();
        }
        return false;
    }

    /** As {@link #giveUp}, by the program, which is better off if the future is done afterwards. */
    boolean giveUpNow(BooleanSupplier how) {
        if (giveUp(how)) {
            return true;
        }
        long end = System.nanoTime() + MOMENT;
        while (!call.isDone() && System.nanoTime() - end < 0) {
            if (node.progress() == 0) {
                Thread.yield();
            }
        }
        synchronized (this) {
            return instead == how && call.isDone();
        }
    }

    /** The call has failed, and the provider may still write into the room. */
    void isKept(MemorySegment room, CompletableFuture<Void> released, FabricException why) {
        if (OpenArenas.isGuarded(room)) {
            Ticks.once(PATIENCE, () -> {
                if (!released.isDone()) {
                    node.drive().completing().runAside(() -> endEarly(why));
                }
            });
        }
    }

    private void endEarly(FabricException why) {
        BooleanSupplier how;
        synchronized (this) {
            if (over || early) {
                return;
            }
            early = true;
            how = instead;
        }
        if (how != null) {
            how.getAsBoolean();
        } else {
            call.endEarly(why);
        }
    }

    /** Nothing comes any more. Whether the program had ended the call, as it now is. */
    boolean over() {
        BooleanSupplier how;
        synchronized (this) {
            over = true;
            how = instead;
        }
        call.landed(this);
        if (how != null) {
            how.getAsBoolean();
        }
        return how != null;
    }
}
