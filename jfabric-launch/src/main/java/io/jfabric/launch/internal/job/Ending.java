// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of this process, on behalf of the job. */
final class Ending {
    private static final Logger LOG = LoggerFactory.getLogger("io.jfabric.launch.Job");
    private static final int HOOKS_MILLIS = 7000;

    private Ending() {
    }

    /** Last words and shutdown hooks get a few seconds: they may wait for a process that is no longer there. */
    static void exit(String message, int exitCode, Runnable lastWords) {
        LOG.error("{}", message);
        Thread.ofPlatform().daemon().name("jfabric-job-halt").start(() -> {
            try {
                Thread.sleep(HOOKS_MILLIS);
            } catch (InterruptedException e) {
                // then at once
            }
            Runtime.getRuntime().halt(exitCode);
        });
        try {
            lastWords.run();
        } finally {
            System.exit(exitCode);
        }
    }
}
