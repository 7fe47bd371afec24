// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

/** Amounts that C counts without a sign. */
public final class Amount {
    private Amount() {
    }

    /** The amount as far as Java can count: what is beyond that, above all C's largest, is no limit. */
    public static long of(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}
