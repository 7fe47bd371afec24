// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.Collection;

/** What went wrong in one of several steps that are all taken. */
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

    /** Throws what went wrong first; the others, and what of the object is left, come with it. */
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
