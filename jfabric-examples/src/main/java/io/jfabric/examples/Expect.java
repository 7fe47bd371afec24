// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import java.util.Objects;

/** Compares what came with what was sent: no example says that all is well without it. */
final class Expect {
    private Expect() {
    }

    /** Ends the example with an exception where the two differ. */
    static void same(String what, Object expected, Object came) {
        if (!Objects.equals(expected, came)) {
            throw new IllegalStateException(what + ": " + came + " came, expected was " + expected);
        }
    }
}
