// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_deferred_work;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.trigger.DeferredWork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** {@link DeferredWork}. */
public final class DeferredWorkImpl implements DeferredWork {
    private final DomainState domain;
    private final long context;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment struct = fi_deferred_work.allocate(arena);
    private final Object buffers;
    /** Those of the endpoint whose operation it is; null for work on a counter, which is over once it has started. */
    private final Contexts transfers;

    public DeferredWorkImpl(DomainState domain, long context, Contexts transfers, Object buffers) {
        this.domain = domain;
        this.context = context;
        this.transfers = transfers;
        this.buffers = buffers;
    }

    /** Writes the operation's struct. */
    @FunctionalInterface
    public interface Writer {
        MemorySegment write(DeferredWorkImpl work);
    }

    public Arena arena() {
        return arena;
    }

    /** The address of the work: its struct begins with what providers take as the operation's context. */
    public long address() {
        return struct.address();
    }

    public void queue(int type, CounterImpl trigger, long threshold, CounterImpl completion, FidObject actor,
            Writer writer) {
        domain.object().call(d -> {
            queue(d, type, trigger, threshold, completion, actor, writer);
            return null;
        });
    }

    private void queue(long d, int type, CounterImpl trigger, long threshold, CounterImpl completion, FidObject by,
            Writer writer) {
        KeptMemory.checkAlive(buffers);
        List<FidObject> needed = completion == null ? List.of(by) : List.of(by, completion);
        if (transfers == null && domain.quirks().has(Quirk.COUNTER_WORK_LOCKS)) {
            domain.pendingTriggers().addAcyclic(address(), trigger, threshold, needed);
        } else {
            domain.pendingTriggers().addEarly(address(), trigger, threshold, needed);
        }
        boolean queued = false;
        try {
            queueListed(d, type, trigger, threshold, completion, by, writer);
            queued = true;
        } finally {
            if (!queued) {
                forget();
            }
        }
        if (completion != null) {
            // as long as the operation may be under way: the provider would add to a closed counter
            by.uses(completion);
        }
    }

    private void queueListed(long d, int type, CounterImpl trigger, long threshold, CounterImpl completion,
            FidObject by, Writer writer) {
        MemorySegment operation = writer.write(this);
        fi_deferred_work.threshold(struct, threshold);
        fi_deferred_work.triggering_cntr(struct, MemorySegment.ofAddress(trigger.handle()));
        fi_deferred_work.completion_cntr(struct, completion == null ? MemorySegment.NULL
                : MemorySegment.ofAddress(completion.handle()));
        fi_deferred_work.op_type(struct, type);
        fi_deferred_work.op.msg(fi_deferred_work.op(struct), operation);
        domain.contexts().addForeign(address(), context, transfers != null
                ? new LaterUse(struct, buffers, transfers.ended(), null)
                : new LaterUse(struct, buffers, null, by.tracker()));
        int result = domain.pendingTriggers().queue(address(),
                () -> FidOps.control(d, Libfabric.FI_QUEUE_WORK(), address()));
        if (result < 0) {
            throw FabricException.of("fi_control(FI_QUEUE_WORK)", result, "provider " + domain.info().provider()
                    + (result == -Errno.ENOSYS ? " has no deferred work of this kind" : ""));
        }
    }

    @Override
    public void cancel() {
        int result = domain.object().call(d -> FidOps.control(d, Libfabric.FI_CANCEL_WORK(), address()));
        Results.check("fi_control(FI_CANCEL_WORK)", result, "provider " + domain.info().provider());
        forget();
    }

    @Override
    public void release() {
        if (domain.object().isOpen()) {
            domain.object().call(d -> {
                if (domain.pendingTriggers().isWaiting(address())) {
                    throw new IllegalStateException("release: the counter that the work waits for has not got there, "
                            + "and the provider would start it out of freed memory; close the counter first");
                }
                return null;
            });
            if (!handOver()) {
                return;
            }
            if (transfers != null && transfers.ended().get()) {
                // a queue may still report it, and no other work may have its address until then
                domain.pendingTriggers().remove(address());
                return;
            }
        }
        forget();
    }

    /**
     * Work that has started is under way until its end is seen: then the provider looks for the counter in the struct.
     * Returns whether the domain need not keep the struct any more.
     */
    private boolean handOver() {
        if (transfers == null || !domain.contexts().hasForeign(address())) {
            return true;
        }
        try {
            transfers.keepUntilClosed(new Object[] {struct, buffers});
            return true;
        } catch (IllegalStateException closed) {
            // an arena that was closed with its own domain: its memory stays for as long as the operation is listed
            return false;
        }
    }

    private void forget() {
        domain.contexts().removeForeign(address());
        domain.pendingTriggers().remove(address());
    }
}
