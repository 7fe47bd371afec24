// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

/** Waits that go on when their thread is interrupted, as other processes rely on what is waited for. */
public final class Uninterrupted {
    private Uninterrupted() {
    }

    /** A wait that can be begun again: its end is a point in time. */
    @FunctionalInterface
    public interface Wait {
        void await() throws InterruptedException;
    }

    /** The thread is interrupted afterwards, if it was before or meanwhile. */
    public static void await(Wait wait) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    wait.await();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
