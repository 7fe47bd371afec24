// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What to do about an error that the caller has not explained already. */
final class Remedies {
    private static final String UNKNOWN = "unknown";

    private Remedies() {
    }

    static String forErrno(int errno, String detail) {
        return switch (errno) {
            case Errno.ENOMEM -> noMemory(lockedMemoryLimit());
            case Errno.EMFILE -> detail == null || !detail.contains("ulimit -n")
                    ? "; the process has as many files open as its limit allows (ulimit -n): raise it" : "";
            case Errno.EBUSY -> detail == null ? "; close what uses it first, then close it again" : "";
            case Errno.EADDRNOTAVAIL -> "; is the source address one of this machine? If the program gave none, "
                    + "libfabric has chosen it: give the hints one (Hints.sourceAddress)";
            case Errno.ENOCQ -> "; bind a completion queue or counter for each direction before enable()";
            case Errno.ENOSYS -> detail == null ? "; this provider does not have the operation" : "";
            default -> "";
        };
    }

    /** With the limit in bytes, or what else stands for it. */
    static String noMemory(String limit) {
        return "; if this concerns registered memory: the locked-memory limit (ulimit -l) is "
                + (limit.equals("unlimited") ? "unlimited, as a NIC needs it"
                        : (limit.equals(UNKNOWN) ? limit : limit + " bytes") + ", and a NIC needs it unlimited")
                + "; if it concerns shared memory: /dev/shm needs free space";
    }

    private static String lockedMemoryLimit() {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(line -> line.startsWith("Max locked memory"))
                    .map(line -> line.split("\\s{2,}")[1])
                    .findFirst().orElse(UNKNOWN);
        } catch (IOException unreadable) {
            return UNKNOWN;
        }
    }
}
