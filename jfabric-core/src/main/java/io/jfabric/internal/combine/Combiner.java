// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/**
 * How collective operations combine elements: the reductions of fi_collective(3), from MIN to BXOR. The order of the
 * two operands makes no difference to the bits of the result, except which NaN it is, so that all members get the same.
 *
 * <p>The loops run over arrays of a few KiB, copied from the segments and back: these loops are vectorised, loops over
 * two segments are not, as those might overlap.
 */
public record Combiner(Datatype type, AtomicOp op) {
    /** Bytes of each array. */
    static final int BLOCK = 8192;
    private static final Set<AtomicOp> BITWISE = EnumSet.of(AtomicOp.BOR, AtomicOp.BAND, AtomicOp.BXOR);
    private static final Set<AtomicOp> COMPLEX = EnumSet.of(AtomicOp.SUM, AtomicOp.PROD, AtomicOp.LOR, AtomicOp.LAND,
            AtomicOp.LXOR);

    /** Whether elements of this type can be combined by this operation. */
    public static boolean isDefined(Datatype type, AtomicOp op) {
        return switch (type) {
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, INT128, UINT128 ->
                op.compareTo(AtomicOp.BXOR) <= 0;
            case FLOAT, DOUBLE, FLOAT16, BFLOAT16 -> op.compareTo(AtomicOp.BXOR) <= 0 && !BITWISE.contains(op);
            case FLOAT_COMPLEX, DOUBLE_COMPLEX -> COMPLEX.contains(op);
            default -> false;
        };
    }

    /** Combines the elements of two segments into a third, which may be one of them; all have the same size. */
    public void combine(MemorySegment from, MemorySegment with, MemorySegment into) {
        if (BITWISE.contains(op)) {
            Bits.combine(op, from, with, into);
            return;
        }
        switch (type) {
            case INT8 -> Bytes.combine(op, false, from, with, into);
            case UINT8 -> Bytes.combine(op, true, from, with, into);
            case INT16 -> Shorts.combine(op, false, from, with, into);
            case UINT16 -> Shorts.combine(op, true, from, with, into);
            case INT32 -> Ints.combine(op, false, from, with, into);
            case UINT32 -> Ints.combine(op, true, from, with, into);
            case INT64 -> Longs.combine(op, false, from, with, into);
            case UINT64 -> Longs.combine(op, true, from, with, into);
            case INT128 -> Wides.combine(op, false, from, with, into);
            case UINT128 -> Wides.combine(op, true, from, with, into);
            case FLOAT -> Floats.combine(op, from, with, into);
            case DOUBLE -> Doubles.combine(op, from, with, into);
            case FLOAT_COMPLEX -> SmallComplexes.combine(op, from, with, into);
            case DOUBLE_COMPLEX -> Complexes.combine(op, from, with, into);
            case FLOAT16 -> Halves.combine(op, false, from, with, into);
            case BFLOAT16 -> Halves.combine(op, true, from, with, into);
            default -> throw new AssertionError(type);
        }
    }
}
