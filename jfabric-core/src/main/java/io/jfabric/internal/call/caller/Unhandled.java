// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.NotHandledException;
import io.jfabric.async.OverloadException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Tells whether a failure is of a call that no handler has seen, nor will. */
public final class Unhandled {
    /** What operations of calls begin with. */
    static final String CALL = "call of service ";

    private Unhandled() {
    }

    /** Whether a future of a call failed so, or one that was derived from it. */
    public static boolean is(Throwable failure) {
        Throwable why = failure;
        while ((why instanceof CompletionException || why instanceof ExecutionException) && why.getCause() != null) {
            why = why.getCause();
        }
        return why instanceof NotHandledException
                || why instanceof OverloadException overload && overload.operation().startsWith(CALL);
    }
}
