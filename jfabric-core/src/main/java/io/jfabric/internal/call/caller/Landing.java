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

    /** What becomes of a wish that the call may end. */
    enum Wish {
        /** It will be fulfilled. */
        TAKEN,
        /** Another was there first. */
        REFUSED,
        /** Nothing keeps the call from it any more. */
        OVER
    }

    /** Of a call; the node may be null if nothing has to be polled for the end. */
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
        // who posts it will find out
        if (underWay != null) {
            underWay.cancel();
        }
        return Wish.TAKEN;
    }

    /** After {@link #giveUp}, by the program, which is better off if the future is done so afterwards. */
    boolean awaitEnd(BooleanSupplier how) {
        long end = System.nanoTime() + MOMENT;
        while (!call.isDone() && System.nanoTime() - end < 0) {
            if (isOver()) {
                // the executor, whose thread this may be, need not come to it
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

    /** Once it is over: whether the program had ended the call, as it now is. */
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
