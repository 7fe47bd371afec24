// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import io.jfabric.launch.JobException;
import java.util.List;

/** The connection of a process to whoever knows all processes of the job. All that waits has a deadline. */
public interface Session {
    Place place();

    /** The host of a rank; empty where it is only known from what the ranks tell each other. */
    default String host(int rank) {
        return "";
    }

    void put(String key, byte[] value, Deadline deadline);

    void commit(Deadline deadline);

    void fence(Deadline deadline);

    /** Fails with {@link JobException} when the value does not come. */
    byte[] get(int rank, String key, Deadline deadline);

    /** Everybody's value by rank. */
    List<byte[]> gather(byte[] mine, Deadline deadline);

    /** Tells the launcher to end all. May return. */
    void abort(String message, int exitCode);

    void close(Deadline deadline);
}
