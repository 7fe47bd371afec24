// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.Caller;

/** {@link Caller}: how its calls have ended. */
public abstract sealed class CountedCaller implements Caller permits CallerImpl, LastingCaller {
    final Outcomes outcomes;

    CountedCaller(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    @Override
    public final long answered() {
        return outcomes.answered.sum();
    }

    @Override
    public final long refused() {
        return outcomes.refused.sum();
    }

    @Override
    public final long late() {
        return outcomes.late.sum();
    }

    @Override
    public final long failed() {
        return outcomes.failed.sum();
    }
}
