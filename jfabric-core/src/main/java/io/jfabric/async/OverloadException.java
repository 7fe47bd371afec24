// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Arguments;

/**
 * Refused at once, because too much is waiting or under way: here ({@code FI_EAGAIN}) or at the service
 * ({@code FI_EBUSY}), which may also be closing, or closed. Nothing has been started; try again when other operations
 * are done, or the service is back.
 *
 * <p>Refusing must cost less than doing: what futures fail with has no stack trace, and many of them may share one.
 * What {@link Node#await} throws, and the {@code CompletionException} of {@code join()}, show who waited.
 */
public final class OverloadException extends FabricException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param operation what was refused
     * @param error {@code EAGAIN} or {@code EBUSY}
     * @param detail which limit was reached, and what to do
     */
    public OverloadException(String operation, FabricError error, String detail) {
        super(operation, Arguments.given(error, "OverloadException", "the error"), detail);
    }

    private OverloadException(OverloadException original) {
        super(original);
    }

    @Override
    public OverloadException inThisThread() {
        return new OverloadException(this);
    }
}
