// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.ffi.Arguments;

/** The number by which callers know a service. */
public final class ServiceNumber {
    private ServiceNumber() {
    }

    /** The number if it is valid; else throws. */
    public static int checked(String what, int number) {
        Arguments.range(what, number, 0, 0xFFFF);
        return number;
    }
}
