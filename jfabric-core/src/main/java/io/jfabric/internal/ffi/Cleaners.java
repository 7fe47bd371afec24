// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.ref.Cleaner;

/** The one thread that looks after what was forgotten. */
public final class Cleaners {
    public static final Cleaner SHARED = Cleaner.create();

    private Cleaners() {
    }
}
