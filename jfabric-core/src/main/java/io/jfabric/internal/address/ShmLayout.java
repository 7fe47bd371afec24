// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How shm's regions are laid out, which changes with releases of libfabric. Its number is the first byte of each
 * endpoint's file, but the provider looks at it only when it reuses a file.
 */
final class ShmLayout {
    private static final Path FOLDER = Path.of("/dev/shm");
    /** There is no such file, or nothing in it yet. */
    private static final int UNKNOWN = 0;
    /** Of this process's library. */
    private static volatile int own = UNKNOWN;

    private ShmLayout() {
    }

    /** From an enabled endpoint of this process. */
    static void learn(String name) {
        if (own == UNKNOWN) {
            own = of(name);
        }
    }

    /** Before an insertion. */
    static void check(String name) {
        int expected = own;
        int found = expected == UNKNOWN ? UNKNOWN : of(name);
        if (found != UNKNOWN && found != expected) {
            throw new IllegalStateException("fi_av_insert: the endpoint " + name + " is of another release of libfabric"
                    + " (layout " + found + " of shared memory, here it is " + expected + "), and the two would destroy"
                    + " each other's memory; load the same library in both processes");
        }
    }

    private static int of(String name) {
        try (InputStream file = Files.newInputStream(FOLDER.resolve(name))) {
            return Math.max(UNKNOWN, file.read());
        } catch (IOException notThere) {
            return UNKNOWN;
        }
    }
}
