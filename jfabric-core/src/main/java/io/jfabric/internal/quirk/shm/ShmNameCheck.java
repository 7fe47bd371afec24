// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Mapping;
import io.jfabric.internal.library.Exports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whether an endpoint can have its name in /dev/shm. The provider takes away a name that a living process has, and then
 * answers that it is taken; newer ones do not even look whether they could make the file.
 */
final class ShmNameCheck {
    private static final int HEADER_BYTES = 128;

    private ShmNameCheck() {
    }

    /** Throws if another endpoint has it. */
    static void notTaken(String address) {
        Path file = ShmName.file(address);
        long owner = Files.exists(file) ? owner(file) : 0;
        if (owner != 0) {
            throw FabricException.of("fi_enable", Errno.EBUSY, (owner == ProcessHandle.current().pid()
                    ? "this process" : "process " + owner) + " has an endpoint of the name " + file.getFileName()
                    + "; give this one a name of its own (Hints.sourceAddress)");
        }
    }

    /** Throws if there can be no file of that name: makes it, and removes it. */
    static void possible(String address) {
        Path file = ShmName.file(address);
        boolean nested = NameScheme.plain(address).contains("/");
        try {
            if (nested) {
                throw new IOException("the name has a slash");
            }
            if (!Files.exists(file)) {
                ShmName.tryCreate(file);
            }
        } catch (IOException e) {
            int error = nested ? Errno.EINVAL : error(e);
            String remedy = ShmRoom.noFile(error);
            throw FabricException.of("fi_enable", error, "the provider would crash, as it could not make the file "
                    + file.getFileName() + ": " + e.getMessage() + (remedy == null ? "" : "; " + remedy));
        }
    }

    static int error(IOException why) {
        if (why instanceof AccessDeniedException) {
            return Errno.EACCES;
        }
        if (why instanceof NoSuchFileException) {
            return Errno.ENOENT;
        }
        String reason = why instanceof FileSystemException file ? file.getReason() : null;
        return IntStream.of(Errno.EROFS, Errno.ENOSPC, Errno.EMFILE)
                .filter(error -> Exports.strerror(error).equals(reason)).findFirst().orElse(Errno.EIO);
    }

    /** Whether the process that has made the file is gone, and others may have it mapped who had met that one. */
    static boolean isOfDead(Path file) {
        SharedRegion region = SharedRegion.read(file);
        return region == null ? isReady(file) && anyOwner(file) == 0
                : region.pid() > 0 && !maps(region.pid(), file) && region.hasMet();
    }

    /** Whether it says whose it is, which a process that makes it writes last. */
    private static boolean isReady(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER_BYTES)).order(ByteOrder.nativeOrder());
            return header.remaining() == HEADER_BYTES && header.getInt((int) RegionLayout.PID) > 0;
        } catch (IOException gone) {
            return false;
        }
    }

    /** The process that has made the file and has it mapped; 0 if it is gone. */
    private static long owner(Path file) {
        int known = LockRescue.owner(file);
        if (known >= 0) {
            return known > 0 && maps(known, file) ? known : 0;
        }
        return anyOwner(file);
    }

    /** The same where the number can be anywhere in the header. */
    private static long anyOwner(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER_BYTES)).order(ByteOrder.nativeOrder());
            while (header.remaining() >= Integer.BYTES) {
                int pid = header.getInt();
                if (pid > 0 && maps(pid, file)) {
                    return pid;
                }
            }
        } catch (IOException gone) {
            // then nobody has it
        }
        return 0;
    }

    /** Not one of the other threads of a process, which have numbers, too. */
    private static boolean isProcess(int pid) {
        try (Stream<String> status = Files.lines(Path.of("/proc", Integer.toString(pid), "status"),
                StandardCharsets.ISO_8859_1)) {
            return status.anyMatch(line -> line.matches("Tgid:\\s*" + pid));
        } catch (IOException | UncheckedIOException gone) {
            return false;
        }
    }

    /** Whether a process that is seen here has it mapped: not one of another namespace. */
    static boolean maps(int pid, Path file) {
        try {
            return isProcess(pid) && Mapping.of(Integer.toString(pid), file).stream()
                    .anyMatch(mapping -> !mapping.isRemoved());
        } catch (IOException gone) {
            return false;
        }
    }
}
