// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.info.FabricConstant;
import io.jfabric.internal.ffi.Arguments;

/** Looks constants up by their value. */
public final class Constants {
    private Constants() {
    }

    /** The constant with a value; {@code otherwise} for every value without one. */
    public static <E extends Enum<E> & FabricConstant> E find(Class<E> type, long code, E otherwise) {
        for (E constant : type.getEnumConstants()) {
            if (constant.code() == code && constant != otherwise) {
                return constant;
            }
        }
        return otherwise;
    }

    /**
     * The value to hand to libfabric for a constant. Throws for {@code UNRECOGNIZED}, which stands for no value at all,
     * and for what is newer than the library, which would take it for something else.
     */
    public static <E extends Enum<E> & FabricConstant> int codeOf(E constant, E unrecognized, String attribute) {
        if (Arguments.given(constant, attribute, "the constant") == unrecognized) {
            throw new IllegalArgumentException(attribute + ": UNRECOGNIZED is not a value; to pass on a number that "
                    + "jfabric has no constant for, use " + attribute + "Code(int)");
        }
        if (!constant.since().equals(FabricConstant.FIRST)) {
            Known.require("set " + attribute, constant.nativeName(), constant.since());
        }
        return (int) constant.code();
    }

    /** The bits of several constants together. */
    public static <E extends Enum<E> & FabricConstant> long bits(String operation, E[] constants) {
        long bits = 0;
        for (E constant : Arguments.all(operation, "the constant", constants)) {
            bits |= constant.code();
        }
        return bits;
    }

    /** As above, for at least one constant. */
    public static <E extends Enum<E> & FabricConstant> long bits(String operation, E first, E[] others) {
        return Arguments.given(first, operation, "the first constant").code() | bits(operation, others);
    }
}
