// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.library.Variables;

/** How many operations an endpoint is opened for. */
public final class ShmQueues {
    private static final String RECEIVES = "FI_SHM_RX_SIZE";
    private static final String SENDS = "FI_SHM_TX_SIZE";
    /** If nobody says otherwise. */
    private static final long MOST = 1024;

    private ShmQueues() {
    }

    /** The receives asked for, or as many, with so many more for the provider's own use, where it takes that. */
    public static long withMore(long asked, long more) {
        return Math.max(asked, Math.min(Math.max(asked, more) + more, most(RECEIVES)));
    }

    /** The receives asked for, or else so many. */
    public static long receives(long asked, long least) {
        return atLeast(least, asked, RECEIVES);
    }

    /** The sends asked for, or else one. */
    public static long sends(long asked) {
        return atLeast(1, asked, SENDS);
    }

    private static long atLeast(long least, long asked, String variable) {
        if (asked < least && most(variable) < least) {
            throw new IllegalStateException("fi_endpoint: with " + variable + "=" + Variables.get(variable) + " "
                    + Variables.place(variable) + " messages are lost or never sent; set it to 2 or more");
        }
        return Math.max(asked, least);
    }

    /** The provider refuses more. */
    private static long most(String variable) {
        String value = Variables.get(variable);
        try {
            return value == null ? MOST : Long.decode(value.strip());
        } catch (NumberFormatException unclear) {
            return MOST;
        }
    }
}
