// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.Counter;
import io.jfabric.FabricException;
import io.jfabric.Request;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_trigger_threshold;
import io.jfabric.bindings.fi_triggered_context2;
import io.jfabric.info.Capability;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.request.RequestImpl;
import io.jfabric.internal.shared.PendingTriggers;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** {@link Trigger}. */
public final class TriggerImpl implements Trigger {
    private static final long TRIGGER = Libfabric.FI_TRIGGER();

    private final MemorySegment struct = fi_triggered_context2.allocate(Arena.ofAuto());
    private final CounterImpl counter;
    private final long threshold;
    private boolean used;

    private TriggerImpl(CounterImpl counter, long threshold) {
        this.counter = counter;
        this.threshold = threshold;
        fi_triggered_context2.event_type(struct, Libfabric.FI_TRIGGER_THRESHOLD());
        MemorySegment condition = fi_triggered_context2.trigger.threshold(fi_triggered_context2.trigger(struct));
        fi_trigger_threshold.cntr(condition, MemorySegment.ofAddress(counter.handle()));
        fi_trigger_threshold.threshold(condition, threshold);
    }

    public static TriggerImpl at(Counter counter, long threshold) {
        CounterImpl waitedFor = (CounterImpl) Objects.requireNonNull(counter, "Trigger.at: the counter is null");
        waitedFor.checkThreshold("Trigger.at", threshold);
        return new TriggerImpl(waitedFor, threshold);
    }

    @Override
    public synchronized boolean post(Request<?> request, long context) {
        RequestImpl<?> operation = (RequestImpl<?>) Objects.requireNonNull(request, "request");
        EndpointState endpoint = operation.state();
        if (!endpoint.info().capabilities().contains(Capability.TRIGGER)) {
            // providers that do not know the flag would start at once
            throw FabricException.of(operation.name(), Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " was opened without FI_TRIGGER: ask for Capability.TRIGGER in the hints");
        }
        endpoint.domain().quirks().requireNoHook(Quirk.HOOKS_KEEP_COUNTERS, operation.name());
        // the provider reads the counter when the operation is handed over, and maybe at any later time
        endpoint.object().checkRelated(operation.name(), counter);
        operation.begin();
        try {
            return postAlone(operation, endpoint, context);
        } finally {
            operation.end();
        }
    }

    private boolean postAlone(RequestImpl<?> operation, EndpointState endpoint, long context) {
        operation.readyForLater(operation.name());
        counter.roles().starts(operation.name(), operation.receives());
        long fid = operation.enter(null);
        try {
            counter.fid();
            return post(operation, endpoint, fid, context);
        } finally {
            operation.leave();
        }
    }

    private boolean post(RequestImpl<?> operation, EndpointState endpoint, long fid, long context) {
        KeptMemory.checkAlive(operation.kept());
        operation.describeAgain(operation.name());
        use(endpoint, context, operation.kept());
        PendingTriggers pending = endpoint.domain().pendingTriggers();
        long result = pending.post(() -> operation.postLater(fid, struct.address(), operation.flags() | TRIGGER),
                struct.address(), counter, threshold, List.of(endpoint.object()));
        if (result == 0) {
            return true;
        }
        unuse(endpoint.contexts().registry());
        if (result == -Errno.EAGAIN) {
            return false;
        }
        throw FabricException.of(operation.name(), result, "provider " + endpoint.info().provider());
    }

    /** Makes this the context of an operation; only once nobody but the provider can refuse it. */
    private void use(EndpointState endpoint, long userContext, Object keep) {
        if (used) {
            throw new IllegalStateException("the trigger has been used already; make one for each operation");
        }
        used = true;
        endpoint.contexts().registry().addForeign(struct.address(), userContext,
                new LaterUse(struct, keep, endpoint.contexts().ended(), null));
    }

    /** The provider refused the operation. */
    private void unuse(ContextRegistry contexts) {
        contexts.removeForeign(struct.address());
        used = false;
    }
}
