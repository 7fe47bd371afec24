// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.library.Variables;

/** How many receives an endpoint is opened for. */
public final class ShmQueues {
    private static final String RECEIVES = "FI_SHM_RX_SIZE";
    /** If nobody says otherwise. */
    private static final long MOST = 1024;

    private ShmQueues() {
    }

    /** The number asked for, or as many, with so many more for the provider's own use, where it takes that. */
    public static long withMore(long asked, long more) {
        return Math.max(asked, Math.min(Math.max(asked, more) + more, most()));
    }

    /** The number asked for, or else two. */
    public static long notOne(long asked) {
        if (asked <= 1 && most() <= 1) {
            throw new IllegalStateException("fi_endpoint: with " + RECEIVES + "=" + Variables.get(RECEIVES) + " "
                    + Variables.place(RECEIVES) + " messages are lost; set it to 2 or more");
        }
        return Math.max(asked, 2);
    }

    /** The provider refuses more. */
    private static long most() {
        String value = Variables.get(RECEIVES);
        try {
            return value == null ? MOST : Long.decode(value.strip());
        } catch (NumberFormatException unclear) {
            return MOST;
        }
    }
}
