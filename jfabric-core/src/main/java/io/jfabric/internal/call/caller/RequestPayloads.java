// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The long requests of a caller: each is sent by itself, to where the service receives it. */
final class RequestPayloads {
    private final CallerImpl caller;
    private final CallFailures failures;
    private final OutgoingEnds ends;
    private final Window window;
    private final Wire wire;
    private final Large large;
    private final AtomicInteger sequence = new AtomicInteger(ThreadLocalRandom.current().nextInt());

    RequestPayloads(CallerImpl caller, Window window, OutgoingEnds ends, Wire wire, Large large) {
        this.caller = caller;
        this.failures = caller.failures();
        this.ends = ends;
        this.window = window;
        this.wire = wire;
        this.large = large;
    }

    /** The tag of a request that follows the call at once; 0 if it waits until the service has made room. */
    long eagerTag(Session session, Outgoing<?> call) {
        if (call.request.byteSize() > wire.eagerSize() || !call.follows()) {
            return 0;
        }
        return Wire.eager(caller.service(), session.connection(), sequence.getAndIncrement());
    }

    /** Sends the request, to where the service receives it, or will when it comes. */
    void send(Outgoing<?> call, int slot, long to) {
        MemorySegment request = call.request;
        if (!window.hold(slot, call)) {
            wire.tryToSendNothing(request.byteSize(), caller.peer(), to);
            return;
        }
        Large.Block block = request.isNative() ? null : large.take(request.byteSize());
        boolean hasMemory = block != null || request.isNative();
        if (!hasMemory || !(block == null ? call.lend() : call.copyRequest(block.memory(request.byteSize()), 0))) {
            if (hasMemory) {
                Large.release(block, null);
            } else {
                ends.failHere(call, slot, failures.of(FabricError.ENOMEM, "no memory for a request of "
                        + request.byteSize() + " bytes"));
            }
            wire.tryToSendNothing(request.byteSize(), caller.peer(), to);
            window.letGo(slot);
            return;
        }
        new Payload(call, slot, to, block).send();
    }

    /** A request on its way. The service keeps a place and memory for it: it waits until the node has a place, too. */
    private final class Payload extends Resending {
        private final Outgoing<?> call;
        private final int slot;
        private final long to;
        /** If it had to be copied. */
        private final Large.Block block;
        private final MemorySegment payload;
        private Wire.Sending sending;

        Payload(Outgoing<?> call, int slot, long to, Large.Block block) {
            this.call = call;
            this.slot = slot;
            this.to = to;
            this.block = block;
            this.payload = block == null ? call.request : block.memory(call.request.byteSize());
        }

        @Override
        protected boolean isForAnyThread() {
            return Buffers.isForAnyThread(payload);
        }

        @Override
        protected CompletableFuture<Void> sendOnce() {
            if (call.isDone()) {
                return wire.sendNoPayload(payload.byteSize(), caller.peer(), to);
            }
            sending = wire.sendPayload(payload, caller.peer(), to);
            return sending.sent();
        }

        @Override
        protected void over(Throwable failure) {
            Large.release(block, failure);
            if (block == null && (failure == null || sending == null)) {
                call.giveBack();
            } else if (block == null) {
                sending.released().thenRun(call::giveBack);
            }
            if (failure != null) {
                ends.failHere(call, slot, failure);
            }
            window.letGo(slot);
            caller.drainAfter(failure);
        }
    }

    /** The service has made room. */
    void go(Outgoing<?> call, int slot, long to) {
        if (!Wire.isPayload(to) || !call.follows()) {
            return;
        }
        if (call.isDone()) {
            wire.tryToSendNothing(call.request.byteSize(), caller.peer(), to);
        } else {
            send(call, slot, to);
        }
    }
}
