// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Room for an endpoint's own file. */
public final class ShmRoom extends Room {
    /** The size of queues that libfabric looks for room with. */
    private static final long USUAL = 1024;
    /** Of the buffers for long messages, and of each message that may wait. */
    private static final long FIXED = 8 << 20;
    private static final long FOR_EACH = 5 << 10;
    private static final String EACH = "each endpoint of this provider is a file in /dev/shm";
    private static final String MOUNT = " (docker run --tmpfs /dev/shm:mode=1777, an emptyDir with medium Memory in "
            + "Kubernetes)";
    /** How long the files of this process are, by the sizes of their queues. */
    private static final Map<Long, Long> KNOWN = new ConcurrentHashMap<>();

    private final long queues;

    /** For an endpoint with room for so many operations. */
    ShmRoom(long sends, long receives) {
        queues = Math.max(sends, receives);
    }

    @Override
    long expected() {
        return KNOWN.getOrDefault(queues, needed(queues));
    }

    @Override
    Place place(String name) throws IOException {
        Path file = ShmName.file(name);
        long size = Files.size(file);
        KNOWN.put(queues, size);
        return new Place(file, 0, size);
    }

    /** What to do about an error that says that no file can be made there; null for others. */
    static String noFile(int error) {
        return switch (error) {
            case Errno.EROFS, Errno.EACCES -> EACH + ", where this process must not make any: mount it so that it may "
                    + "be written to" + MOUNT;
            case Errno.ENOENT -> Files.isDirectory(SharedRegion.FOLDER) ? null
                    : EACH + ", which is not there: mount a tmpfs there" + MOUNT;
            case Errno.ENOSPC -> noInodes(EACH, free());
            default -> null;
        };
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
}
