// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.ffi.Arguments;

/** What callers know a service by. */
public final class ServiceNumber {
    private ServiceNumber() {
    }

    /** The number, if it can be one. */
    public static int checked(String what, int number) {
        Arguments.range(what, number, 0, 0xFFFF);
        return number;
    }
}
