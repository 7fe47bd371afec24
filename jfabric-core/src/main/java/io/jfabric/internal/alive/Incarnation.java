// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.util.concurrent.ThreadLocalRandom;

/** Tells a node from one that was at its address before. The node's, whichever of its keep-alives speaks. */
record Incarnation(long number) {
    static Incarnation create() {
        return new Incarnation(ThreadLocalRandom.current().nextLong());
    }
}
