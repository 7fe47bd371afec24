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
 * An answer on its way into memory of the program. While the provider may write there the call's future is not
 * completed, whoever wants to end it: once it is, the program may free that memory or use it for something else. But a
 * peer that has stopped may never let go: if the memory cannot be freed before that, the future does not wait for long.
 */
final class Landing {
    /** How long whoever gives up waits for the end, so that the future is done on return if possible. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long only the provider can end a call that has failed, in milliseconds. */
    private static final long PATIENCE = 2000;

    private final Outgoing<?> call;
    private final NodeImpl node;
    private Wire.Incoming incoming;
    /** How the program wants the call to end; null as long as it does not. */
    private BooleanSupplier instead;
    private boolean over;
    /** Whether the future was completed although the memory was not given back. */
    private boolean early;

    /** What becomes of a wish to end the call. */
    enum Wish {
        /** It will be fulfilled. */
        TAKEN,
        /** Another wish came first. */
        REFUSED,
        /** Nothing prevents the end any more. */
        OVER
    }

    /** The node may be null if the end does not depend on polling. */
    Landing(Outgoing<?> call, NodeImpl node) {
        this.call = call;
        this.node = node;
    }

    /** The receive is posted; cancelled at once if the program does not want it any more. */
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
     */
    Wish giveUp(BooleanSupplier how) {
        Wire.Incoming underWay;
        synchronized (this) {
            if (over) {
                return Wish.OVER;
            }
            if (early || instead != null) {
                return Wish.REFUSED;
            }
            instead = how;
            underWay = incoming;
        }
        // if null, whoever posts the receive will cancel it
        if (underWay != null) {
            underWay.cancel();
        }
        return Wish.TAKEN;
    }

    /** After {@link #giveUp} by the program, which is better off if the future is then done. */
    boolean awaitEnd(BooleanSupplier how) {
        long end = System.nanoTime() + MOMENT;
        while (!call.isDone() && System.nanoTime() - end < 0) {
            if (isOver()) {
                // the executor may not get round to it, as this may be its thread
                how.getAsBoolean();
            } else if (node == null || node.progress() == 0) {
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

    private synchronized boolean isOver() {
        return over;
    }

    /** Nothing comes any more; {@link #tell} follows. */
    void over() {
        boolean isEnded;
        synchronized (this) {
            over = true;
            isEnded = instead != null;
        }
        call.landed(this, isEnded);
    }

    /** After {@link #over}. Returns whether the program has ended the call; if so, completes it that way. */
    boolean tell() {
        BooleanSupplier how;
        synchronized (this) {
            how = instead;
        }
        if (how != null) {
            call.end(how);
        }
        return how != null;
    }
}
