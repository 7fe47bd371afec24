// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.Counter;
import io.jfabric.internal.trigger.TriggerImpl;

/**
 * When a triggered operation is to start: once a counter reaches a threshold ({@code struct fi_triggered_context2},
 * fi_trigger(3)). For one operation of {@link TriggeredOperations}.
 */
public sealed interface Trigger permits TriggerImpl {
    /**
     * A trigger.
     *
     * @param counter counts; must stay open until the operation has completed
     * @param threshold the value at which the operation starts
     * @return for one operation
     */
    static Trigger at(Counter counter, long threshold) {
        return TriggerImpl.at(counter, threshold);
    }
}
