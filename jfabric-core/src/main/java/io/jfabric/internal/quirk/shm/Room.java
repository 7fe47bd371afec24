// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Room in /dev/shm for what an endpoint has there. The kernel takes pages as they are touched: where there are none
 * left, with a SIGBUS.
 */
abstract class Room {
    /** With less than this free, all pages are taken at once; elsewhere most are never touched, and would be wasted. */
    private static final long SCARCE = 1L << 30;
    static final String REMEDY = "Give it more room (docker run --shm-size=1g, an emptyDir with medium Memory in "
            + "Kubernetes), or remove what killed processes have left there";

    private long needed;
    private long free;

    /** A part of a file. */
    record Place(Path file, long offset, long length) {
    }

    /** How many bytes it will need, not too few. */
    abstract long expected();

    /** What it has, once it is enabled. */
    abstract Place place(String name) throws IOException;

    /** Before the provider touches anything. */
    final void check() {
        if (isShort(expected())) {
            throw FabricException.of("fi_enable", Errno.ENOSPC, lack());
        }
    }

    private boolean isShort(long bytes) {
        needed = bytes;
        free = free();
        return free < bytes;
    }

    /** Afterwards, for the endpoint of this name: 0, or an error. */
    final int reserve(String name) {
        try {
            Place place = place(name);
            if (free() < SCARCE && !hasPages(place)) {
                isShort(place.length);
                return -Errno.ENOSPC;
            }
        } catch (IOException notThere) {
            // then it is not the kind of endpoint that has one
        }
        return 0;
    }

    /** Takes its pages; false if there are not enough. */
    static boolean hasPages(Place place) {
        return LibC.allocate(place.file.toString(), place.offset, place.length) != Errno.ENOSPC;
    }

    /** Why there is an error. */
    final String lack() {
        return free < needed ? lack("an endpoint", needed, free)
                : noInodes("an endpoint of this provider needs a file in /dev/shm", free);
    }

    static String noInodes(String what, long free) {
        return what + ", where " + free + " bytes are free, but perhaps no inodes (df -i /dev/shm): mount it with more "
                + "(nr_inodes), or remove what killed processes have left there";
    }

    static String lack(String what, long needed, long free) {
        return what + " of this provider needs " + needed + " bytes of /dev/shm, where " + free + " are free: the "
                + "process would end with a SIGBUS. " + REMEDY;
    }

    static long free() {
        try {
            return Files.getFileStore(SharedRegion.FOLDER).getUsableSpace();
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }
}
