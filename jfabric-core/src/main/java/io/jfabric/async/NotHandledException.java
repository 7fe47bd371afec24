// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Arguments;

/**
 * A call failed that no handler has seen, nor will: nothing of it was sent, or the service says so. Calls that are
 * refused, with an {@link OverloadException}, were not handled either: {@link Caller#wasNotHandled} is true of both.
 *
 * <p>What futures of calls fail with has no stack trace, and many of them may share one.
 */
public final class NotHandledException extends FabricException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception without a stack trace.
     *
     * @param operation the call
     * @param error why it failed
     * @param detail circumstances and remedy
     */
    public NotHandledException(String operation, FabricError error, String detail) {
        super(operation, Arguments.given(error, "NotHandledException", "the error"), detail);
    }

    /**
     * Says of a failure that the call was not handled.
     *
     * @param original why it failed; the cause
     */
    public NotHandledException(FabricException original) {
        super(Arguments.given(original, "NotHandledException", "the failure"));
    }

    @Override
    public NotHandledException inThisThread() {
        return new NotHandledException(this);
    }
}
