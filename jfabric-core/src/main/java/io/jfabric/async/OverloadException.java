// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Arguments;

/**
 * Refused at once, because too much waits or is under way: here ({@code FI_EAGAIN}) or at the service
 * ({@code FI_EBUSY}). Nothing of it has begun; it may be tried again when something else is over.
 *
 * <p>To refuse must cost less than to do: these have no stack trace, and one of them may be given to many futures. The
 * {@code CompletionException} of {@code join()} says who waited.
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
}
