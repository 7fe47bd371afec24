// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.ffi.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How shm's regions are laid out, which changes with releases of libfabric. Its number is the first byte of each
 * endpoint's file, but the provider looks at it only when it reuses a file, and 1.18 forgot to change it.
 */
final class ShmLayout {
    private static final Pattern MADE = Pattern.compile(":\\d+:\\d+");
    /** Of a process, a user and an endpoint: what the provider calls those that are given no name, or a number. */
    private static final Pattern DEFAULT = Pattern.compile("\\d+:\\d+:\\d+");
    private static final int SOME = 4;
    private static final int HEADER_BYTES = 128;
    /** There is no such file, or nothing in it yet. */
    private static final int UNKNOWN = 0;
    /** The number that both 1.17 and 1.18 have; that of the latter, as it is told here, is another. */
    private static final int SHARED = 4;
    private static final int SHARED_OF_1_18 = SHARED | 1 << 8;
    /** Where 1.17 has the offset of its first queue, and what that is; 1.18, which has two fields less before it. */
    private static final int QUEUE = 64;
    private static final long QUEUE_AT = 128;
    private static final int QUEUE_OF_1_18 = 48;
    private static final long QUEUE_AT_OF_1_18 = 112;
    /** Of this process's library. */
    private static volatile int own = UNKNOWN;
    /** Where the number of the process is; 0 if it was not found. */
    private static volatile int place;

    private ShmLayout() {
    }

    /** From an enabled endpoint of this process. */
    static void learn(String name) {
        if (own == UNKNOWN) {
            own = of(name);
            place = find(header(name), (int) ProcessHandle.current().pid());
        }
    }

    /** Whose a name is; 0 if that is not known. */
    static int process(String name) {
        ByteBuffer header = header(name);
        return place == 0 || header.limit() < place + Integer.BYTES ? 0 : header.getInt(place);
    }

    /** Whether there is an endpoint of that name, and ready: the number of its process is written last. */
    static boolean isThere(String name) {
        return place == 0 ? of(name) != UNKNOWN : process(name) != 0;
    }

    /** Whether the endpoint of that name is another process's, or will be, as far as its name tells. */
    static boolean isOfOther(String name) {
        long self = ProcessHandle.current().pid();
        int process = process(name);
        if (process != 0) {
            return process != self;
        }
        boolean unread = place == 0 && isThere(name);
        return unread || DEFAULT.matcher(name).matches() && !name.startsWith(self + ":");
    }

    /** Whose a name is: a file, and the number of its process, which is 0 where it is not known. */
    record Holder(Object file, int process) {
        boolean isSame(Holder now) {
            return file.equals(now.file) && (process == 0 || now.process == 0 || process == now.process);
        }
    }

    /** Null if it is nobody's. */
    static Holder holder(String name) {
        try {
            Object file = Files.readAttributes(SharedRegion.FOLDER.resolve(name), BasicFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS).fileKey();
            return new Holder(file, process(name));
        } catch (IOException notThere) {
            return null;
        }
    }

    /** Names that the provider has made of one, by adding the user and a number; some of them. */
    static List<String> madeOf(String name) {
        List<String> made = new ArrayList<>();
        // a name may have what a pattern of files gives another meaning
        DirectoryStream.Filter<Path> isMade = file -> {
            String found = file.getFileName().toString();
            return found.startsWith(name) && MADE.matcher(found.substring(name.length())).matches();
        };
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SharedRegion.FOLDER, isMade)) {
            Iterator<Path> all = files.iterator();
            while (made.size() < SOME && all.hasNext()) {
                made.add(all.next().getFileName().toString());
            }
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            // then there is nothing to tell
        }
        return made;
    }

    /** Whether this process still has a file of that name mapped that was removed. */
    static boolean mapsRemoved(String name) {
        try {
            return Mapping.of("self", SharedRegion.FOLDER.resolve(name)).stream().anyMatch(Mapping::isRemoved);
        } catch (IOException notToBeSeen) {
            return false;
        }
    }

    /** Behind the layout's number, of all that may be there. */
    private static int find(ByteBuffer header, int value) {
        for (int i = Integer.BYTES; i + Integer.BYTES <= header.limit(); i += Integer.BYTES) {
            if (header.getInt(i) == value) {
                return i;
            }
        }
        return 0;
    }

    /** Only what is a file: others can put a pipe there, and opening that waits for somebody who writes to it. */
    private static InputStream open(String name) throws IOException {
        Path file = SharedRegion.FOLDER.resolve(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(file.toString());
        }
        return Files.newInputStream(file);
    }

    private static ByteBuffer header(String name) {
        try (InputStream file = open(name)) {
            return ByteBuffer.wrap(file.readNBytes(HEADER_BYTES)).order(ByteOrder.nativeOrder());
        } catch (IOException notThere) {
            return ByteBuffer.allocate(0);
        }
    }

    /** Before an insertion. */
    static void check(String name) {
        int expected = own;
        int found = expected == UNKNOWN ? UNKNOWN : of(name);
        if (found != UNKNOWN && found != expected) {
            throw new PeerNames.Unreachable("fi_av_insert: the endpoint " + name + " is of another release of libfabric"
                    + " (layout " + text(found) + " of shared memory, here it is " + text(expected)
                    + "), and the two would destroy each other's memory; load the same library in both processes");
        }
    }

    private static String text(int layout) {
        return switch (layout) {
            case SHARED -> SHARED + " of 1.17";
            case SHARED_OF_1_18 -> SHARED + " of 1.18";
            default -> Integer.toString(layout);
        };
    }

    private static int of(String name) {
        ByteBuffer header = header(name);
        int number = header.hasRemaining() ? Byte.toUnsignedInt(header.get(0)) : UNKNOWN;
        if (number != SHARED || header.limit() < HEADER_BYTES) {
            return number;
        }
        if (header.getLong(QUEUE) == QUEUE_AT) {
            return SHARED;
        }
        // where that is zero it is still being made
        return header.getLong(QUEUE_OF_1_18) == QUEUE_AT_OF_1_18 && header.getLong(QUEUE) != 0 ? SHARED_OF_1_18
                : UNKNOWN;
    }
}
