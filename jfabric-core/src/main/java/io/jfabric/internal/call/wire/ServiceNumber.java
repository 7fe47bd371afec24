// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

/** What callers know a service by. */
public final class ServiceNumber {
    private ServiceNumber() {
    }

    /** The number, if it can be one. */
    public static int checked(String what, int number) {
        if (number < 0 || number > 0xFFFF) {
            throw new IllegalArgumentException(what + " " + number + " is not between 0 and 65,535");
        }
        return number;
    }
}
