// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.internal.post.OperationKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Lets one thread at a time change or post a request: else the provider might get a half-changed one. */
final class SoleUser {
    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(SoleUser.class, "taken", boolean.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Set and read by {@link #TAKEN}. */
    private boolean taken;

    /** Throws if another thread has it; to be followed by {@link #leave}. */
    void enter(OperationKind operation) {
        if (!TAKEN.compareAndSet(this, false, true)) {
            throw new IllegalStateException(operation.messageName() + ": another thread is changing or posting the "
                    + "request: give each thread one of its own");
        }
    }

    void leave() {
        TAKEN.setRelease(this, false);
    }
}
