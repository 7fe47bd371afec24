// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.Collection;

/** Collects what goes wrong in several steps, all of which are taken. */
final class Failures {
    private RuntimeException first;

    void collect(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else if (e != first) {
                first.addSuppressed(e);
            }
        }
    }

    /** Throws the first failure; the others, and what is left of the object, are added to it. */
    void rethrow(FidObject object, Collection<FidObject> left) {
        if (first == null) {
            return;
        }
        if (!left.isEmpty()) {
            first.addSuppressed(new IllegalStateException("the " + object.kind() + " stays open, and can be closed "
                    + "again later, because of " + left));
        }
        throw first;
    }
}
