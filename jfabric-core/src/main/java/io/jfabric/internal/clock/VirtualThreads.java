// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

/**
 * What virtual threads need is made when the first is started. If that fails, as while no more threads can be made, the
 * JDK does not try again: none can be started as long as the process lives.
 */
public final class VirtualThreads {
    private VirtualThreads() {
    }

    /** Starts one, so that others can be started later, when it may be harder. */
    public static void require(String operation) {
        try {
            Thread.ofVirtual().name("jfabric-first").start(() -> { });
        } catch (LinkageError | OutOfMemoryError none) {
            throw new IllegalStateException(operation + ": this process cannot start virtual threads, for good if "
                    + "threads were scarce when it started the first: raise the limit of threads (ulimit -u, a "
                    + "container's pids.max) and start the program anew, or set another executor "
                    + "(ServiceOptions.withExecutor)", none);
        }
    }
}
