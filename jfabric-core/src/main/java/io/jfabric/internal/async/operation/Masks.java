// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

/** Whether a receive of the node has ever ignored bits of a tag. Any thread. */
public final class Masks {
    private volatile boolean used;

    void receives(long ignore) {
        if (ignore != 0 && !used) {
            used = true;
        }
    }

    public boolean areUsed() {
        return used;
    }
}
