// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Resolves and closes many times, and prints by how many KiB the process has grown in each fifth of them, at least:
 * what the JVM needs for compiling comes once, a leak comes always.
 */
public final class ManyTimes {
    private static final int PARTS = 5;
    private static final int KIB_PER_PAGE = 4;

    private ManyTimes() {
    }

    /** How often, and which node instead of this machine. */
    public static void main(String[] args) throws IOException {
        int times = Integer.parseInt(args[0]);
        String node = args.length > 1 ? args[1] : "127.0.0.1";
        long before = resident();
        long least = Long.MAX_VALUE;
        for (int i = 1; i <= times; i++) {
            try (RdmaAddressInfo found = RdmaAddressInfo.resolve(node, "7471", RdmaHints.connected())) {
                if (found.first().destination().isEmpty()) {
                    throw new AssertionError(found.toString());
                }
            }
            if (i % Math.max(1, times / PARTS) == 0) {
                long now = resident();
                least = Math.min(least, now - before);
                before = now;
            }
        }
        System.out.println("times: " + times + " grown: " + least + " KiB");
    }

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * KIB_PER_PAGE;
    }
}
