// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

/** How much there is of something, which C says without a sign. */
public final class Amount {
    private Amount() {
    }

    /** As much as Java can count: what is beyond that, C's largest above all, is no limit. */
    public static long of(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}
