// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Waits;
import java.util.function.BooleanSupplier;

/** Peeks find nothing until their message has come. */
final class Peek {
    private Peek() {
    }

    /** Repeats it at the pair's other side until it has found its message: that is the completion. */
    static Done until(Pair pair, BooleanSupplier peek, long context) {
        Done[] found = new Done[1];
        Waits.spin("a peek finds the message", () -> {
            pair.post(peek);
            found[0] = pair.awaitAny(pair.b, done -> done.context() == context);
            if (found[0].error() == null) {
                return true;
            }
            assertThat(found[0].error().error()).isEqualTo(FabricError.ENOMSG);
            return false;
        });
        return found[0];
    }
}
