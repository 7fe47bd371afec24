// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;

/** Providers on which two nodes of one process may answer one another at any length. */
public final class Answering {
    private Answering() {
    }

    /** Those of the choices that this machine has, but for shm of libfabric 2.5 and newer, where that crashes. */
    public static Stream<Providers.Choice> offered(Providers.Choice... choices) {
        return Providers.offered(choices).filter(choice ->
                !Quirks.of(choice.provider()).has(Quirk.ANSWERS_IN_PROCESS));
    }
}
