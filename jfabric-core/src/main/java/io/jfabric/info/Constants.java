// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.ffi.Arguments;

/** Looks constants up by their value. */
public final class Constants {
    private Constants() {
    }

    /**
     * The constant with a value.
     *
     * @param <E> the enum
     * @param type the enum
     * @param code the value
     * @param otherwise what stands for every value without a constant
     * @return the constant, or {@code otherwise}
     */
    public static <E extends Enum<E> & FabricConstant> E find(Class<E> type, long code, E otherwise) {
        for (E constant : Arguments.given(type, "Constants.find", "the type").getEnumConstants()) {
            if (constant.code() == code && constant != otherwise) {
                return constant;
            }
        }
        return otherwise;
    }

    /**
     * The value to hand to libfabric; {@code UNRECOGNIZED} stands for no value at all.
     *
     * @param <E> the enum
     * @param constant a constant of it
     * @param unrecognized the one that has no value
     * @param attribute what is to be set, for the message
     * @return the value
     */
    public static <E extends Enum<E> & FabricConstant> int codeOf(E constant, E unrecognized, String attribute) {
        if (Arguments.given(constant, attribute, "the constant") == unrecognized) {
            throw new IllegalArgumentException(attribute + ": UNRECOGNIZED is not a value; to pass on a number that "
                    + "jfabric has no constant for, use " + attribute + "Code(int)");
        }
        return (int) constant.code();
    }
}
