// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.Counter;
import io.jfabric.FabricException;
import io.jfabric.Request;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_op_cntr;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.request.RequestImpl;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.trigger.Deferral;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** {@link Deferral}. */
public final class DeferralImpl implements Deferral {
    private final DomainState domain;
    private final CounterImpl counter;
    private final long threshold;
    private CounterImpl completion;
    private long context;
    /** Added to the flags of every operation. */
    private long flags;

    public DeferralImpl(CounterImpl counter, long threshold) {
        this.counter = Objects.requireNonNull(counter, "Deferral.at: the counter is null");
        counter.checkThreshold("Deferral.at", threshold);
        this.domain = counter.domain();
        this.threshold = threshold;
    }

    @Override
    public DeferralImpl completionCounter(Counter newCompletion) {
        completion = newCompletion == null ? null : related(domain, (CounterImpl) newCompletion);
        return this;
    }

    @Override
    public DeferralImpl context(long newContext) {
        context = newContext;
        flags = Libfabric.FI_COMPLETION();
        return this;
    }

    @Override
    public DeferredWorkImpl queue(Request<?> request) {
        RequestImpl<?> operation = (RequestImpl<?>) Objects.requireNonNull(request,
                "FI_QUEUE_WORK: the request is null");
        if (operation.state().domain() != domain) {
            throw new IllegalArgumentException("FI_QUEUE_WORK: the endpoint of the request is of another domain");
        }
        operation.begin();
        try {
            return queueAlone(operation);
        } finally {
            operation.end();
        }
    }

    private DeferredWorkImpl queueAlone(RequestImpl<?> operation) {
        operation.readyForLater("FI_QUEUE_WORK");
        counter.roles().starts("FI_QUEUE_WORK", operation.receives());
        int type = operation.deferredType();
        if (completion != null && (operation.receives() || type == Libfabric.FI_OP_SEND()
                || type == Libfabric.FI_OP_TSEND())) {
            completion.roles().counts("FI_QUEUE_WORK", operation.receives());
        }
        FidObject endpoint = operation.state().object();
        return queue(type, endpoint, operation.state().contexts(), operation.kept(), work -> {
            operation.describeAgain("FI_QUEUE_WORK");
            return operation.deferred(work.arena(), endpoint.handle(), work.address(),
                    operation.namedFlags() | flags);
        });
    }

    @Override
    public DeferredWorkImpl set(Counter target, long value) {
        CounterImpl changed = given(target);
        changed.checkValue("FI_QUEUE_WORK", value);
        return counter(Libfabric.FI_OP_CNTR_SET(), changed, value);
    }

    @Override
    public DeferredWorkImpl add(Counter target, long value) {
        CounterImpl changed = given(target);
        changed.checkAdded("FI_QUEUE_WORK", value);
        return counter(Libfabric.FI_OP_CNTR_ADD(), changed, value);
    }

    private CounterImpl given(Counter target) {
        return related(domain, (CounterImpl) Objects.requireNonNull(target, "FI_QUEUE_WORK: the counter is null"));
    }

    private DeferredWorkImpl counter(int type, CounterImpl target, long value) {
        if (completion != null) {
            throw new IllegalArgumentException("FI_QUEUE_WORK: operations on counters take no completion counter");
        }
        return queue(type, target, null, null, work -> {
            counter.roles().changes("FI_QUEUE_WORK", target.roles());
            MemorySegment op = fi_op_cntr.allocate(work.arena());
            fi_op_cntr.cntr(op, MemorySegment.ofAddress(target.handle()));
            fi_op_cntr.value(op, value);
            return op;
        });
    }

    /** {@link Deferral#flush} */
    public static void flush(CounterImpl counter) {
        DomainState domain = Objects.requireNonNull(counter, "Deferral.flush: the counter is null").domain();
        if (domain.quirks().has(Quirk.FLUSHES_ALL)) {
            throw FabricException.of("fi_control(FI_FLUSH_WORK)", Errno.ENOSYS, "provider " + domain.info().provider()
                    + " would cancel the work of all counters: use flushAll()");
        }
        flush(domain, counter);
    }

    /** {@link Deferral#flushAll} */
    public static void flushAll(DomainState domain) {
        flush(domain, null);
    }

    private static void flush(DomainState domain, CounterImpl counter) {
        domain.quirks().requireNoHook(Quirk.HOOKS_KEEP_COUNTERS, "fi_control(FI_FLUSH_WORK)");
        int result = domain.object().call(d -> domain.pendingTriggers().flush(counter, () ->
                FidOps.control(d, Libfabric.FI_FLUSH_WORK(), counter == null ? 0 : counter.fid())));
        Results.check("fi_control(FI_FLUSH_WORK)", result, "provider " + domain.info().provider());
    }

    /** {@code transfers} are the contexts of the endpoint whose operation it is; null for work on a counter. */
    private DeferredWorkImpl queue(int type, FidObject actor, Contexts transfers, Object keep,
            DeferredWorkImpl.Writer writer) {
        domain.quirks().requireNoHook(Quirk.HOOKS_KEEP_COUNTERS, "fi_control(FI_QUEUE_WORK)");
        DeferredWorkImpl work = new DeferredWorkImpl(domain, context, transfers, keep);
        boolean needsOne = transfers != null && domain.quirks().has(Quirk.DEFERRED_NEEDS_COUNTER);
        CounterImpl whenDone = completion == null && needsOne
                ? (CounterImpl) domain.unwatched(() -> CounterImpl.open(domain,
                        CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE), null)) : completion;
        work.queue(type, counter, threshold, whenDone, actor, writer);
        return work;
    }

    /** Checked, as providers take any counter for one of their own. */
    private static CounterImpl related(DomainState domain, CounterImpl counter) {
        domain.object().checkRelated("FI_QUEUE_WORK", counter);
        return counter;
    }
}
