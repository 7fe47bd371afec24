// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Reads files in a thread that may be interrupted, as one that closes things often is: the interrupt waits. */
public final class Uninterrupted {
    /** Opens its channel itself, or again: an interrupt closes it. */
    public interface Reading<T> {
        T read() throws IOException;
    }

    private Uninterrupted() {
    }

    public static <T> T read(Reading<T> reading) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    return reading.read();
                } catch (ClosedByInterruptException again) {
                    // the flag is set, and taken away before the next attempt
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
