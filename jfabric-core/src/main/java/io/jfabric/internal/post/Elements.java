// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.Datatype;

/** How operands of atomics are counted. */
public final class Elements {
    private Elements() {
    }

    /** Binary logarithm of the size of one; of {@link Datatype#VOID} one that leaves nothing of any size. */
    public static int shift(Datatype type) {
        return type == Datatype.VOID ? Long.SIZE - 1 : Long.numberOfTrailingZeros(type.byteSize());
    }
}
