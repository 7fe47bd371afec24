// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import io.jfabric.launch.LostRank;

/** Who is told what happens to other processes. */
public interface Watcher {
    void lost(LostRank rank);

    /** Whether a loss ends this process. */
    boolean endsWhenLost();

    /** The job has been aborted, by this rank or another. */
    void aborted(String message, int exitCode);

    /** What is to be done before this process ends on behalf of the job. */
    void beforeEnd(Runnable lastWords);
}
