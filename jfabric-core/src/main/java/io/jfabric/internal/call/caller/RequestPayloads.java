// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Pieces;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The long requests of a caller: each is sent on its own to where the service receives it. */
final class RequestPayloads {
    /** In the thread that makes progress. */
    private static final long LONGEST_COPY = 256 << 10;

    private final CallerImpl caller;
    private final CallFailures failures;
    private final OutgoingEnds ends;
    private final Window window;
    private final Wire wire;
    private final Large large;
    private final Withdrawals withdrawals;
    private final AtomicInteger sequence = new AtomicInteger(ThreadLocalRandom.current().nextInt());

    RequestPayloads(CallerImpl caller, Window window, OutgoingEnds ends, Wire wire, Large large,
            Withdrawals withdrawals) {
        this.caller = caller;
        this.failures = caller.failures();
        this.ends = ends;
        this.window = window;
        this.wire = wire;
        this.large = large;
        this.withdrawals = withdrawals;
    }

    /** The tag of a request that follows the call at once; 0 if it waits until the service has made room. */
    long eagerTag(Session session, Outgoing<?> call) {
        if (call.requestLength() > wire.eagerSize() || !call.follows()) {
            return 0;
        }
        return Wire.eager(caller.service(), session.connection(), sequence.getAndIncrement());
    }

    /** Sends the request to where the service receives it, or will when the announcement has come. */
    void send(Outgoing<?> call, int slot, long to) {
        if (!window.hold(slot, call)) {
            sendNothing(call, to);
            return;
        }
        long copied = wire.toCopy(call.request);
        Large.Block block = copied == 0 ? null : large.take(copied);
        MemorySegment[] payload = prepare(call, slot, copied, block);
        if (payload == null) {
            Large.release(block, null);
            sendNothing(call, to);
            window.letGo(slot);
            return;
        }
        boolean isLent = copied < call.requestLength();
        Pieces pieces = new Pieces(wire, payload, caller.peer(), to, () -> !call.isDone(),
                why -> ends.failHere(call, slot, why), () -> withdrawals.request(call.id), call.deadline());
        CompletableFuture<Void> all = pieces.send();
        if (!all.isDone() && call.deadline() > Clock.after(wire.node.options().deadline())) {
            call.whenComplete((answer, why) -> giveUpLater(pieces, all));
        }
        all.whenComplete((sent, failure) -> {
            Large.release(block, failure);
            if (isLent && failure == null) {
                call.giveBack();
            } else if (isLent) {
                pieces.released().thenRun(call::giveBack);
            }
            window.letGo(slot);
            caller.drainAfter(failure);
        });
    }

    /** The call is over, and had more time than others: what of it is still on its way gets no more than those. */
    private void giveUpLater(Pieces pieces, CompletableFuture<Void> all) {
        if (!all.isDone()) {
            Future<?> end = Aside.later(wire.node.options().deadline().toMillis(), pieces::giveUp);
            all.whenComplete((sent, failure) -> end.cancel(false));
        }
    }

    /** Copies so much of the request. What is to be sent; null if nothing is, as the call is over. */
    private MemorySegment[] prepare(Outgoing<?> call, int slot, long copied, Large.Block block) {
        if (copied > 0 && block == null) {
            ends.failHere(call, slot, failures.unhandled(FabricError.ENOMEM, "no memory for " + copied
                    + " bytes of a request"));
            return null;
        }
        try {
            return call.copiedTo(block == null ? MemorySegment.NULL : block.memory(copied));
        } catch (IllegalStateException | WrongThreadException unusable) {
            // it was freed while it waited, or is confined to another thread
            ends.failHere(call, slot, unusable);
            return null;
        }
    }

    /** Sends empty messages instead: the service keeps a place and memory for the request. */
    private void sendNothing(Outgoing<?> call, long to) {
        new Pieces(wire, call.request, caller.peer(), to, () -> false, why -> { }, () -> withdrawals.request(call.id),
                0).send();
    }

    /** The service has made room. */
    void go(Outgoing<?> call, int slot, long to) {
        if (!Wire.isPayload(to) || !call.follows()) {
            return;
        }
        if (call.isDone()) {
            sendNothing(call, to);
        } else if (wire.node.drive().hasEngine() && wire.toCopy(call.request) > LONGEST_COPY) {
            sendAside(call, slot, to);
        } else {
            send(call, slot, to);
        }
    }

    /** The copy takes long, the more so if the memory has to be paged in, and this thread makes all progress. */
    private void sendAside(Outgoing<?> call, int slot, long to) {
        try {
            Aside.start(() -> send(call, slot, to));
        } catch (OutOfMemoryError noThread) {
            send(call, slot, to);
        }
    }
}
