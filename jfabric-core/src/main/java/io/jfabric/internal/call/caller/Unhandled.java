// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.NotHandledException;
import io.jfabric.async.OverloadException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Tells whether a failure is that of a call which no handler has seen, or will see. */
public final class Unhandled {
    /** What the names of calls as operations begin with. */
    static final String CALL = "call of service ";

    private Unhandled() {
    }

    /** Whether the future of a call, or one derived from it, failed like that. */
    public static boolean is(Throwable failure) {
        Throwable why = failure;
        while ((why instanceof CompletionException || why instanceof ExecutionException) && why.getCause() != null) {
            why = why.getCause();
        }
        return why instanceof NotHandledException
                || why instanceof OverloadException overload && overload.operation().startsWith(CALL);
    }
}
