// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A call failed that no handler has seen, nor will: nothing of it was sent, or the service says so. An
 * {@link OverloadException} of a call says the same.
 */
public final class Unhandled extends FabricException {
    /** What operations of calls begin with. */
    static final String CALL = "call of service ";
    private static final long serialVersionUID = 1L;

    /** Others may share it. */
    Unhandled(String operation, FabricError error, String detail) {
        super(operation, error, detail);
    }

    /** Of a failure that calls may have, too, which may have been handled. */
    Unhandled(FabricException original) {
        super(original);
    }

    /** Whether a future of a call failed so, or one that was derived from it. */
    public static boolean is(Throwable failure) {
        Throwable why = failure;
        while ((why instanceof CompletionException || why instanceof ExecutionException) && why.getCause() != null) {
            why = why.getCause();
        }
        return why instanceof Unhandled
                || why instanceof OverloadException overload && overload.operation().startsWith(CALL);
    }

    @Override
    public Unhandled inThisThread() {
        return new Unhandled(this);
    }
}
