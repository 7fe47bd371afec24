// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.info.FabricConstant;

/** Constants by what C calls them. */
final class Codes {
    private Codes() {
    }

    /** The constant of a value, or the one that stands for all others. */
    static <T extends FabricConstant> T find(T[] constants, T unrecognized, long code) {
        for (T constant : constants) {
            if (constant.code() == code) {
                return constant;
            }
        }
        return unrecognized;
    }
}
