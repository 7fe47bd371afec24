// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import java.util.List;

/** Of several that were opened together. */
final class Closing {
    private Closing() {
    }

    /** As something else has failed, which stays the failure. */
    static void after(Throwable why, Runnable closing) {
        try {
            closing.run();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    /** All, in this order, whatever some of them throw; then throws the first, which has the others. */
    static void all(List<? extends AutoCloseable> opened) {
        RuntimeException first = null;
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception e) {
                RuntimeException failure = e instanceof RuntimeException unchecked ? unchecked
                        : new IllegalStateException("closing failed", e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
