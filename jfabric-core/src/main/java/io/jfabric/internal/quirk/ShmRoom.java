// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Room in /dev/shm for an endpoint's file. The provider says how long it is, and the kernel takes pages as they are
 * touched: where there are none left, with a SIGBUS.
 */
public final class ShmRoom {
    private static final Path FOLDER = Path.of("/dev/shm");
    /** With less than this free, all pages are taken at once; elsewhere most are never touched, and would be wasted. */
    private static final long SCARCE = 1L << 30;
    /** Of the buffers for long messages, and of each message that may wait. */
    private static final long FIXED = 8 << 20;
    private static final long FOR_EACH = 5 << 10;
    /** How long the files of this process are, by the sizes of their queues. */
    private static final Map<Long, Long> KNOWN = new ConcurrentHashMap<>();

    private final long queues;
    private long needed;
    private long free;

    /** For an endpoint with room for so many operations. */
    public ShmRoom(long sends, long receives) {
        queues = Math.max(sends, receives);
    }

    /** Before the provider touches anything. */
    public void check() {
        // the first is estimated, not too low: releases before 2 round it up so
        needed = KNOWN.getOrDefault(queues, Long.highestOneBit(FIXED + queues * FOR_EACH) << 1);
        free = free();
        if (free < needed) {
            throw FabricException.of("fi_enable", Errno.ENOSPC, lack());
        }
    }

    /** Afterwards: 0, or an error. */
    public int reserve(Path file) {
        try {
            long size = Files.size(file);
            KNOWN.put(queues, size);
            free = free();
            if (free < SCARCE && LibC.allocate(file.toString(), size) == Errno.ENOSPC) {
                needed = size;
                return -Errno.ENOSPC;
            }
        } catch (IOException notThere) {
            // then it is not the kind of endpoint that has one
        }
        return 0;
    }

    /** Why there is an error. */
    public String lack() {
        return "an endpoint of this provider needs " + needed + " bytes of /dev/shm, where " + free + " are free: the "
                + "process would end with a SIGBUS. Give it more room (docker run --shm-size, an emptyDir with medium "
                + "Memory in Kubernetes), or remove what killed processes have left there";
    }

    private static long free() {
        try {
            return Files.getFileStore(FOLDER).getUsableSpace();
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }
}
