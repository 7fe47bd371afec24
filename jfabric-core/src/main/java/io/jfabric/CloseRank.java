// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/** The order in which a parent closes its children: users before what they use. */
final class CloseRank {
    static final int BOUND_REGION = -1;
    static final int ENDPOINT = 0;
    static final int REGION = 1;
    static final int SHARED_CONTEXT = 2;
    static final int ADDRESS_SET = 3;
    static final int ADDRESS_VECTOR = 4;
    static final int POLL_SET = 5;
    static final int QUEUE = 6;
    static final int WAIT_SET = 7;

    private CloseRank() {
    }
}
