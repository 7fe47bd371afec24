// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What to do about an error that the caller has not explained already. */
final class Remedies {
    private Remedies() {
    }

    static String forErrno(int errno, String detail) {
        return switch (errno) {
            case Errno.ENOMEM -> "; locked memory is limited to " + lockedMemoryLimit()
                    + " here (ulimit -l), a NIC needs it unlimited; shared memory needs space in /dev/shm";
            case Errno.EBUSY -> detail == null ? "; close what uses it first, then close it again" : "";
            case Errno.EADDRNOTAVAIL -> "; is the source address one of this machine?";
            case Errno.ENOCQ -> "; bind a completion queue or counter for each direction before enable()";
            case Errno.ENOSYS -> detail == null ? "; this provider does not have the operation" : "";
            default -> "";
        };
    }

    private static String lockedMemoryLimit() {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(line -> line.startsWith("Max locked memory"))
                    .map(line -> line.split("\\s{2,}")[1] + " bytes")
                    .findFirst().orElse("an unknown size");
        } catch (IOException unreadable) {
            return "an unknown size";
        }
    }
}
