// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/** What jfabric itself holds for an operation, to be released when that completes. */
public interface Kept extends Holder {
    void release();

    /** Releases what an operation keeps, if that is jfabric's own. */
    static void release(Object kept) {
        if (kept instanceof Kept resources) {
            resources.release();
        }
    }

    /** Bytes in front of the payload that the provider counts as received. */
    default long prefix() {
        return 0;
    }
}
