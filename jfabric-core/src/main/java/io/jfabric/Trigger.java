// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_trigger_threshold;
import io.jfabric.bindings.fi_triggered_context2;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * When a triggered operation is to start: once a counter reaches a threshold ({@code struct fi_triggered_context2},
 * fi_trigger(3)). For one operation of {@link TriggeredOperations}.
 */
public final class Trigger {
    private final MemorySegment struct = fi_triggered_context2.allocate(Arena.ofAuto());
    private final Counter counter;
    private final long threshold;
    private boolean used;
    /** Only keeps the buffer reachable. */
    @SuppressWarnings("unused")
    private Object buffer;

    private Trigger(Counter counter, long threshold) {
        this.counter = counter;
        this.threshold = threshold;
        fi_triggered_context2.event_type(struct, Libfabric.FI_TRIGGER_THRESHOLD());
        MemorySegment condition = fi_triggered_context2.trigger.threshold(fi_triggered_context2.trigger(struct));
        fi_trigger_threshold.cntr(condition, MemorySegment.ofAddress(counter.handle()));
        fi_trigger_threshold.threshold(condition, threshold);
    }

    /**
     * A trigger.
     *
     * @param counter counts; must stay open until the operation has completed
     * @param threshold the value at which the operation starts
     * @return for one operation
     */
    public static Trigger at(Counter counter, long threshold) {
        return new Trigger(Objects.requireNonNull(counter, "Trigger.at: the counter is null"), threshold);
    }

    /** What providers take as the operation's context. */
    long address() {
        return struct.address();
    }

    /** Becomes the context of an operation. */
    synchronized void use(ContextRegistry contexts, long userContext, Object keep) {
        if (used) {
            throw new IllegalStateException("the trigger has been used already; make one for each operation");
        }
        used = true;
        buffer = keep;
        contexts.addForeign(struct.address(), userContext, this);
    }

    /** The provider took the operation. */
    void started(Endpoint endpoint) {
        endpoint.domain().pendingTriggers().add(struct.address(), counter, threshold, List.of(endpoint));
    }

    /** The provider did not take the operation. */
    synchronized void unuse(ContextRegistry contexts) {
        contexts.removeForeign(struct.address());
        used = false;
    }
}
