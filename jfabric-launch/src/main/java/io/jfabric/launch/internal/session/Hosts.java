// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The names of hosts. */
public final class Hosts {
    private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

    private Hosts() {
    }

    /**
     * This host's name, which needs no name service, and is that of the container where there is one. It goes into
     * logs and over the wire, so it has no characters that would disturb them.
     */
    public static String mine() {
        try {
            return Files.readString(NAME).strip().replaceAll("[^\\p{Graph}]", "?");
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** How many before this rank are on the same host. */
    public static int localRank(List<String> hosts, int rank) {
        return (int) hosts.subList(0, rank).stream().filter(hosts.get(rank)::equals).count();
    }

    public static int localSize(List<String> hosts, int rank) {
        return (int) hosts.stream().filter(hosts.get(rank)::equals).count();
    }
}
