// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Room in /dev/shm for an endpoint's file. The provider says how long it is, and the kernel takes pages as they are
 * touched: where there are none left, with a SIGBUS.
 */
public final class ShmRoom {
    /** With less than this free, all pages are taken at once; elsewhere most are never touched, and would be wasted. */
    private static final long SCARCE = 1L << 30;
    /** Why an endpoint cannot be enabled where all share one file. */
    public static final String NO_PLACE = "the 256 places that all endpoints of this machine share are taken: by those "
            + "that are open, by addresses that were inserted, and by those that closed before what they had sent was "
            + "read; when no process uses the provider, remove /dev/shm/fi_sm2_mmaps";
    private static final String REMEDY = "Give it more room (docker run --shm-size=1g, an emptyDir with medium "
            + "Memory in Kubernetes), or remove what killed processes have left there";
    /** The size of queues that libfabric looks for room with. */
    private static final long USUAL = 1024;
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
        needed = KNOWN.getOrDefault(queues, needed(queues));
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
                + "process would end with a SIGBUS. " + REMEDY;
    }

    /** What to do about an error that says that no file can be made there; null for others. */
    public static String noFile(int error) {
        return error != Errno.EROFS && error != Errno.EACCES ? null : "each endpoint of this provider is a file in "
                + "/dev/shm, where this process must not make any: mount it so that it may be written to (docker run "
                + "--tmpfs /dev/shm:mode=1777, an emptyDir with medium Memory in Kubernetes)";
    }

    /** Why the provider offers nothing on this machine; null if that is not for want of room. */
    public static String notOffered() {
        long each = needed(USUAL);
        long processors = processors();
        long free = free();
        return free >= each * processors ? null : "libfabric wants " + each + " bytes of /dev/shm for each of the "
                + processors + " processors of the machine, " + each * processors + " in all, and " + free + " are "
                + "free. " + REMEDY;
    }

    /** Those of the machine, whichever of them this process may use. */
    private static long processors() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            return Math.max(1, lines.filter(line -> line.matches("cpu\\d.*")).count());
        } catch (IOException | UncheckedIOException unknown) {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    /** Estimated, not too low: releases before 2 round it up so. */
    private static long needed(long queues) {
        return Long.highestOneBit(FIXED + queues * FOR_EACH) << 1;
    }

    private static long free() {
        try {
            return Files.getFileStore(SharedRegion.FOLDER).getUsableSpace();
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }
}
