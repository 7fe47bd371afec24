// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.future.LendingFuture;
import io.jfabric.internal.async.future.Progress;

/** The future of a collective operation, which has the program's buffers until none of its messages uses them. */
final class GroupFuture<T> extends LendingFuture<T> {
    private final String what;
    private volatile boolean free;

    GroupFuture(Progress progress, String what) {
        super(progress);
        this.what = what;
    }

    @Override
    public String described() {
        return what;
    }

    /** No message uses the buffers any more. */
    void free() {
        free = true;
        tellReleased();
    }

    @Override
    protected boolean isLent() {
        return !free;
    }
}
