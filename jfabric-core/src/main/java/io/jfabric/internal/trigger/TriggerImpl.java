// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.Counter;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_trigger_threshold;
import io.jfabric.bindings.fi_triggered_context2;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.post.ContextRegistry;
import io.jfabric.internal.post.Holder;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** {@link Trigger}. */
public final class TriggerImpl implements Trigger, Holder {
    private final MemorySegment struct = fi_triggered_context2.allocate(Arena.ofAuto());
    private final CounterImpl counter;
    private final long threshold;
    private boolean used;
    private Object buffer;
    /** Whose operation it is, once started. */
    private volatile EndpointImpl actor;

    private TriggerImpl(CounterImpl counter, long threshold) {
        this.counter = counter;
        this.threshold = threshold;
        fi_triggered_context2.event_type(struct, Libfabric.FI_TRIGGER_THRESHOLD());
        MemorySegment condition = fi_triggered_context2.trigger.threshold(fi_triggered_context2.trigger(struct));
        fi_trigger_threshold.cntr(condition, MemorySegment.ofAddress(counter.handle()));
        fi_trigger_threshold.threshold(condition, threshold);
    }

    public static TriggerImpl at(Counter counter, long threshold) {
        CounterImpl counterImpl = (CounterImpl) counter;
        return new TriggerImpl(Objects.requireNonNull(counterImpl, "Trigger.at: the counterImpl is null"), threshold);
    }

    @Override
    public synchronized Object buffers() {
        return buffer;
    }

    @Override
    public boolean isOver() {
        return actor != null && !actor.isOpen();
    }

    /** What providers take as the operation's context. */
    public long address() {
        return struct.address();
    }

    /** Becomes the context of an operation. */
    public synchronized void use(ContextRegistry contexts, long userContext, Object keep) {
        if (used) {
            throw new IllegalStateException("the trigger has been used already; make one for each operation");
        }
        used = true;
        buffer = keep;
        contexts.addForeign(struct.address(), userContext, this);
    }

    /** The provider took the operation. */
    public void started(EndpointImpl endpoint) {
        actor = endpoint;
        endpoint.state().pendingTriggers().add(struct.address(), counter, threshold, List.of(endpoint));
    }

    /** The provider did not take the operation. */
    public synchronized void unuse(ContextRegistry contexts) {
        contexts.removeForeign(struct.address());
        used = false;
    }
}
