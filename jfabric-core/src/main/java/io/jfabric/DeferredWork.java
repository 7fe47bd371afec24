// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_deferred_work;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An operation that waits for a counter ({@code struct fi_deferred_work}, fi_trigger(3)). From {@link Deferral}.
 *
 * <p>Its native memory and its buffers stay reachable until its completion is read, it is cancelled or released, or
 * the domain is closed. Until it has started, endpoints and counters that it uses cannot be closed, but with the domain
 * or once the counter that it waits for is closed; after that they must stay open until it is done.
 */
public final class DeferredWork {
    private final Domain domain;
    private final long context;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment struct = fi_deferred_work.allocate(arena);
    /** Only keeps the buffers reachable. */
    @SuppressWarnings("unused")
    private final Object buffers;
    @SuppressWarnings("unused")
    private MemorySegment operation;

    DeferredWork(Domain domain, long context, Object buffers) {
        this.domain = domain;
        this.context = context;
        this.buffers = buffers;
    }

    /** Writes the operation's struct. */
    @FunctionalInterface
    interface Writer {
        MemorySegment write(DeferredWork work);
    }

    Arena arena() {
        return arena;
    }

    /** The address of the work, which starts with what providers take as the operation's context. */
    long address() {
        return struct.address();
    }

    NativeOperation operation(Endpoint endpoint) {
        return new NativeOperation(arena, endpoint, "FI_QUEUE_WORK");
    }

    void queue(int type, Counter trigger, long threshold, Counter completion, FabricObject actor, Writer writer) {
        operation = writer.write(this);
        fi_deferred_work.threshold(struct, threshold);
        fi_deferred_work.triggering_cntr(struct, MemorySegment.ofAddress(trigger.handle()));
        fi_deferred_work.completion_cntr(struct, completion == null ? MemorySegment.NULL
                : MemorySegment.ofAddress(completion.handle()));
        fi_deferred_work.op_type(struct, type);
        fi_deferred_work.op.msg(fi_deferred_work.op(struct), operation);
        domain.contexts().addForeign(address(), context, this);
        int result = FidOps.control(domain.handle(), Libfabric.FI_QUEUE_WORK(), address());
        if (result < 0) {
            release();
            throw FabricException.of("fi_control(FI_QUEUE_WORK)", result, "provider " + domain.info().provider()
                    + (result == -Errno.ENOSYS ? " has no deferred work of this kind" : ""));
        }
        domain.pendingTriggers().add(address(), trigger, threshold,
                completion == null ? List.of(actor) : List.of(actor, completion));
    }

    /**
     * Takes the work from the queue ({@code FI_CANCEL_WORK}).
     *
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot; the work stays queued
     */
    public void cancel() {
        int result = FidOps.control(domain.handle(), Libfabric.FI_CANCEL_WORK(), address());
        FabricObject.check("fi_control(FI_CANCEL_WORK)", result, "provider " + domain.info().provider());
        release();
    }

    /**
     * Lets go of native memory and buffers before the domain is closed. Only for work that is known to be done, such
     * as by its completion counter: the provider may still use it otherwise.
     */
    public void release() {
        domain.contexts().removeForeign(address());
        domain.pendingTriggers().remove(address());
    }
}
