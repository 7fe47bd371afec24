// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricException;

/** What C's functions answer. */
public final class Results {
    private Results() {
    }

    /** Throws if it is an error; the detail, null for none, goes into the exception. */
    public static void check(String operation, long result, String detail) {
        if (result < 0) {
            throw FabricException.of(operation, result, detail);
        }
    }
}
