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
        if (call.request.byteSize() > wire.eagerSize() || !call.follows()) {
            return 0;
        }
        return Wire.eager(caller.service(), session.connection(), sequence.getAndIncrement());
    }

    /** Sends the request to where the service receives it, or will when the announcement has come. */
    void send(Outgoing<?> call, int slot, long to) {
        MemorySegment request = call.request;
        if (!window.hold(slot, call)) {
            sendNothing(call, to);
            return;
        }
        Large.Block block = request.isNative() ? null : large.take(request.byteSize());
        boolean hasMemory = block != null || request.isNative();
        if (!hasMemory || !(block == null ? call.lend() : call.copyRequest(block.memory(request.byteSize()), 0))) {
            if (hasMemory) {
                Large.release(block, null);
            } else {
                ends.failHere(call, slot, failures.unhandled(FabricError.ENOMEM, "no memory for a request of "
                        + request.byteSize() + " bytes"));
            }
            sendNothing(call, to);
            window.letGo(slot);
            return;
        }
        Pieces pieces = new Pieces(wire, block == null ? request : block.memory(request.byteSize()), caller.peer(), to,
                () -> !call.isDone(), why -> ends.failHere(call, slot, why), () -> withdrawals.request(call.id));
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
