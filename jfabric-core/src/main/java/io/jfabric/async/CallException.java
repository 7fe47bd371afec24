// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricError;
import io.jfabric.FabricException;

/**
 * The handler of a {@link Service} failed; or the service could not receive the request, or had no memory for the
 * answer.
 */
public final class CallException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** What the handler threw, or the service says. */
    private final String remoteText;

    /**
     * Makes an exception.
     *
     * @param operation the call
     * @param remoteText class and message of what the handler threw, or what the service says
     */
    public CallException(String operation, String remoteText) {
        super(operation, (int) FabricError.EREMOTEIO.code(), operation + ": failed in the service: " + remoteText);
        this.remoteText = remoteText;
    }

    private CallException(CallException original) {
        super(original);
        this.remoteText = original.remoteText;
    }

    @Override
    public CallException inThisThread() {
        return new CallException(this);
    }

    /**
     * What the handler threw, or why the service could not receive the request or send the answer.
     *
     * @return class and message, as one line without control characters; shortened if it was long
     */
    public String remoteText() {
        return remoteText;
    }
}
