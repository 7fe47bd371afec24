// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.CallException;
import io.jfabric.async.OverloadException;
import java.util.concurrent.atomic.LongAdder;

/** How the calls of a caller have ended. */
final class Outcomes {
    final LongAdder answered = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder failed = new LongAdder();

    /** Counts calls that have ended with that failure; null if they were answered. */
    void add(Throwable failure, int calls) {
        LongAdder one = switch (failure) {
            case null -> answered;
            case CallException ofHandler -> answered;
            case OverloadException overload -> refused;
            case FabricException e when e.error() == FabricError.ETIMEDOUT -> late;
            default -> failed;
        };
        one.add(calls);
    }
}
