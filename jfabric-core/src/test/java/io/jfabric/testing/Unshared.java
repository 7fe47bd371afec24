// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import java.io.IOException;

/**
 * Namespaces of a child's own, as unshare(1) makes them.
 *
 * @param flags which, such as -m for mounts
 * @param command of the shell, which prepares them
 */
public record Unshared(String flags, String command) {
    /** A /dev/shm in which nobody else has files, mounted with such options. */
    public static Unshared shm(String options) {
        return new Unshared("-m", "mount -t tmpfs -o " + options + " tmpfs /dev/shm");
    }

    /** Skips the test where they are not allowed, or cannot be prepared. */
    public void assumeAllowed() throws InterruptedException {
        int exit;
        try {
            exit = new ProcessBuilder("unshare", flags, "sh", "-c", command).start().waitFor();
        } catch (IOException noProgram) {
            exit = -1;
        }
        assumeTrue(exit == 0, "needs the right to namespaces: unshare " + flags + ", then " + command);
    }

    /** Describes a child in them. */
    public ChildJvm.Builder child(Class<?> main, String... arguments) {
        return ChildJvm.of(main, arguments).prefix("unshare", flags, "sh", "-c", command + " && exec \"$@\"", "sh");
    }
}
