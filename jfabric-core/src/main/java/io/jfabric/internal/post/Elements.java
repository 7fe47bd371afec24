// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.Datatype;

/** How the operands of atomics are counted. */
public final class Elements {
    private Elements() {
    }

    /** The binary logarithm of an element's size; for {@link Datatype#VOID} a shift that turns every size into 0. */
    public static int shift(Datatype type) {
        return type == Datatype.VOID ? Long.SIZE - 1 : Long.numberOfTrailingZeros(type.byteSize());
    }
}
