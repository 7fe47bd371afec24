// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import io.jfabric.launch.LostRank;

/** Who is told what happens to other processes. */
public interface Watcher {
    void lost(LostRank rank);

    /** Another rank has aborted the job. */
    void aborted(String message, int exitCode);
}
