// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

/** Looks constants up by their value. */
public final class Constants {
    private Constants() {
    }

    public static <E extends Enum<E> & FabricConstant> E find(Class<E> type, long code, E otherwise) {
        for (E constant : type.getEnumConstants()) {
            if (constant.code() == code && constant != otherwise) {
                return constant;
            }
        }
        return otherwise;
    }

    /** The value to hand to libfabric; {@code UNRECOGNIZED} stands for no value at all. */
    public static <E extends Enum<E> & FabricConstant> int codeOf(E constant, E unrecognized, String attribute) {
        if (constant == unrecognized) {
            throw new IllegalArgumentException(attribute + ": UNRECOGNIZED is not a value; to pass on a number that "
                    + "jfabric has no constant for, use " + attribute + "Code(int)");
        }
        return (int) constant.code();
    }
}
