// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Place;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** One of the two wire protocols. Keys and values are without spaces, semicolons and line ends. */
interface Dialect {
    Place init(Deadline deadline) throws IOException;

    void put(String key, String value, Deadline deadline) throws IOException;

    /** False if it is given up: its answer may still come, also before that of {@link #finish}, where nothing fits. */
    boolean fence(BooleanSupplier givenUp, Deadline deadline) throws IOException;

    /** Null if it is not there. */
    String get(String key, Deadline deadline) throws IOException;

    /** Nothing answers it. Any thread, also while another waits for an answer. */
    void abort(String message, int exitCode, Deadline deadline) throws IOException;

    void finish(Deadline deadline) throws IOException;
}
