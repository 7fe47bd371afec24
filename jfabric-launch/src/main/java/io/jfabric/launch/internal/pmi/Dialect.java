// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Place;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** One of the two wire protocols. Keys and values are without spaces, semicolons and line ends. */
abstract class Dialect {
    final Fd fd;
    /** The answer to a fence that was given up: it may still come, also before that of {@link #finish}. */
    private boolean fenceOwed;

    Dialect(Fd fd) {
        this.fd = fd;
    }

    abstract Place init(Deadline deadline) throws IOException;

    abstract void send(String question, Deadline deadline) throws IOException;

    abstract Reply reply(Deadline deadline) throws IOException;

    final Reply ask(String question, String answer, Deadline deadline) throws IOException {
        send(question, deadline);
        return reply(deadline).expect(answer);
    }

    abstract void put(String key, String value, Deadline deadline) throws IOException;

    /** False if it is given up: after that nothing fits but {@link #finish}. */
    abstract boolean fence(BooleanSupplier givenUp, Deadline deadline) throws IOException;

    final boolean fence(String question, String answer, BooleanSupplier givenUp, Deadline deadline)
            throws IOException {
        send(question, deadline);
        fenceOwed = !fd.await(givenUp, deadline);
        if (!fenceOwed) {
            reply(deadline).expect(answer).orThrow();
        }
        return !fenceOwed;
    }

    /** Null if it is not there. */
    abstract String get(String key, Deadline deadline) throws IOException;

    /** Nothing answers it. Any thread, also while another waits for an answer. */
    abstract void abort(String message, int exitCode, Deadline deadline) throws IOException;

    abstract void finish(Deadline deadline) throws IOException;

    final void finish(String question, String answer, String fenced, Deadline deadline) throws IOException {
        send(question, deadline);
        Reply reply = reply(deadline);
        (fenceOwed && reply.answers(fenced) ? reply(deadline) : reply).expect(answer);
    }
}
