// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.util.concurrent.ThreadLocalRandom;

/** Tells a node from an earlier one at its address. The same for all keep-alives of the node. */
record Incarnation(long number) {
    static Incarnation create() {
        return new Incarnation(ThreadLocalRandom.current().nextLong());
    }
}
