// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Providers;

/** Whether nodes of one process may answer one another at any length. */
public final class Answering {
    private Answering() {
    }

    /** Skips the test where that crashes. */
    public static void assume(Providers.Choice choice) {
        assumeFalse(Quirks.of(choice.provider()).has(Quirk.ANSWERS_IN_PROCESS),
                "libfabric 2.5 and newer crash when both are in one process");
    }
}
