// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** The order in which a parent closes its children: users before what they use. */
public final class CloseRank {
    public static final int BOUND_REGION = -1;
    public static final int ENDPOINT = 0;
    public static final int SHARED_CONTEXT = 1;
    public static final int REGION = 2;
    public static final int ADDRESS_SET = 3;
    public static final int ADDRESS_VECTOR = 4;
    public static final int POLL_SET = 5;
    public static final int QUEUE = 6;
    public static final int WAIT_SET = 7;

    private CloseRank() {
    }
}
