// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.Fabric;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Says on which provider a test has failed: build tools report no more than a number of the run. */
record NamesProvider(Providers.Choice choice)
        implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    /** No failure of its own: a line in the stack trace of one. */
    private static final class On extends Exception {
        private static final long serialVersionUID = 1L;

        On(String where) {
            super(where, null, false, false);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    private Throwable named(Throwable failure) {
        failure.addSuppressed(new On("on " + choice + ", libfabric " + Fabric.versionText()));
        return failure;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw named(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw named(failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw named(failure);
    }
}
