// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Pieces;
import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The long requests of a caller: each is sent on its own to where the service receives it. */
final class RequestPayloads {
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
        boolean inPlace = wire.reads(call.request);
        Large.Block block = inPlace ? null : large.take(call.requestLength());
        if (!(inPlace ? call.lend() : copy(call, slot, block))) {
            Large.release(block, null);
            sendNothing(call, to);
            window.letGo(slot);
            return;
        }
        MemorySegment[] payload = inPlace ? call.request
                : new MemorySegment[] {block.memory(call.requestLength())};
        Pieces pieces = new Pieces(wire, payload, caller.peer(), to, () -> !call.isDone(),
                why -> ends.failHere(call, slot, why), () -> withdrawals.request(call.id));
        pieces.send().whenComplete((sent, failure) -> {
            Large.release(block, failure);
            if (block == null && failure == null) {
                call.giveBack();
            } else if (block == null) {
                pieces.released().thenRun(call::giveBack);
            }
            window.letGo(slot);
            caller.drainAfter(failure);
        });
    }

    /** Copies the request; false if it is not to be sent, as the call is over. */
    private boolean copy(Outgoing<?> call, int slot, Large.Block block) {
        if (block == null) {
            ends.failHere(call, slot, failures.unhandled(FabricError.ENOMEM, "no memory for a request of "
                    + call.requestLength() + " bytes"));
            return false;
        }
        try {
            return call.copyRequest(block.memory(call.requestLength()), 0);
        } catch (IllegalStateException | WrongThreadException unusable) {
            // it was freed while it waited, or is confined to another thread
            ends.failHere(call, slot, unusable);
            return false;
        }
    }

    /** Sends empty messages instead: the service keeps a place and memory for the request. */
    private void sendNothing(Outgoing<?> call, long to) {
        new Pieces(wire, call.request, caller.peer(), to, () -> false, why -> { }, () -> withdrawals.request(call.id))
                .send();
    }

    /** The service has made room. */
    void go(Outgoing<?> call, int slot, long to) {
        if (!Wire.isPayload(to) || !call.follows()) {
            return;
        }
        if (call.isDone()) {
            sendNothing(call, to);
        } else {
            send(call, slot, to);
        }
    }
}
