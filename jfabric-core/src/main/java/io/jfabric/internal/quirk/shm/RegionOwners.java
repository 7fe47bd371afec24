// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.quirk.Uninterrupted;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Whose the regions are, of all files where they are. Processes of other containers, which may share these files, are
 * not in /proc: only who was seen there once is known to be dead when it is not any more. For {@link RegionWatch}'s
 * thread.
 */
final class RegionOwners {
    /** The kernel's number for the first namespace, in which all processes are seen. */
    private static final String FIRST = "pid:[4026531836]";
    /** How long a file that was made may take until it says whose it is. */
    private static final long NEW_MILLIS = TimeUnit.SECONDS.toMillis(2);
    /** Such a message is copied in a fraction of what {@link Bystanders} wait for. */
    private static final long LARGE = 64L << 20;
    private static final boolean ALL_SEEN = isFirst();

    private static FileTime changed;
    private static final Set<Region> SEEN = new HashSet<>();

    /** A region by what its header says. */
    record Region(Path file, int pid, long base, boolean isLocked) {
        private boolean isSeen() {
            return ProcessState.meet(pid, base, file) != null;
        }

        /** Whether its process is surely over. */
        boolean isOver() {
            ProcessState.Met met = ProcessState.meet(pid, base, file);
            return met == null ? ALL_SEEN : ProcessState.isOver(met);
        }

        /** Whether a thread may wait for its lock: only its own process's do who send to others. */
        boolean mayBeAwaited() {
            return isLocked && !isOver();
        }
    }

    private RegionOwners() {
    }

    private static boolean isFirst() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().equals(FIRST)
                    && ProcessState.areNumbersKnown();
        } catch (IOException notToBeSeen) {
            return false;
        }
    }

    /** Looks for new ones where not all processes are seen. */
    static void look() {
        if (ALL_SEEN) {
            return;
        }
        try {
            FileTime now = Files.getLastModifiedTime(SharedRegion.FOLDER);
            if (now.equals(changed) && System.currentTimeMillis() - now.toMillis() > NEW_MILLIS) {
                return;
            }
            changed = now;
        } catch (IOException notToBeSeen) {
            return;
        }
        List<Region> all = all();
        SEEN.retainAll(all);
        for (Region region : all) {
            if (!SEEN.contains(region) && region.isSeen()) {
                SEEN.add(region);
            }
        }
    }

    /** The files of those that may live where they are not seen. */
    static List<Path> unseen() {
        return ALL_SEEN ? List.of() : all().stream().filter(region -> !region.isSeen()).map(Region::file).toList();
    }

    static List<Region> all() {
        List<Region> regions = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SharedRegion.FOLDER, Files::isRegularFile)) {
            for (Path file : files) {
                Region region = read(file);
                if (region != null) {
                    regions.add(region);
                }
            }
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            // some are enough for who asks
        }
        return regions;
    }

    /**
     * Whether somebody may be copying a large message into a file of its own, as before 2.5 the provider does where
     * processes must not read each other's memory; that has the name of a region and a number.
     */
    static boolean areCopying() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SharedRegion.FOLDER, "*_*[0-9]")) {
            for (Path file : files) {
                if (sizeOf(file) > LARGE) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            return true;
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException removed) {
            return 0;
        }
    }

    /** Null if it is none, or cannot be read. */
    private static Region read(Path file) {
        ByteBuffer copy = ByteBuffer.allocate(ClaimLayout.HEADER_BYTES);
        try {
            long bytes = Uninterrupted.read(() -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    return channel.read(copy.clear(), 0) < copy.capacity() ? 0 : channel.size();
                }
            });
            MemorySegment header = MemorySegment.ofArray(copy.array());
            ClaimLayout layout = bytes == 0 ? null : ClaimLayout.of(header, bytes);
            return layout == null ? null : new Region(file, header.get(ValueLayout.JAVA_INT_UNALIGNED, layout.pid()),
                    header.get(ValueLayout.JAVA_LONG_UNALIGNED, layout.base()), layout.isLocked(header));
        } catch (IOException notToBeSeen) {
            return null;
        }
    }
}
