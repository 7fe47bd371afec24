// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.internal.ffi.LibC;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A directory whose content nobody but this user can have written, as what is in it gets executed. */
final class PrivateDirectory {
    /** System property that names the directory in which it is made. */
    static final String PROPERTY = "jfabric.cache";
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 022;
    /** Whatever the umask is: others must not write there. */
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------"));

    private PrivateDirectory() {
    }

    /** The directory of that name, made if there is none: in the user's cache, or else the temporary directory. */
    static Path open(String name) throws IOException {
        try {
            return in(parent().toRealPath(), name);
        } catch (FileSystemException e) {
            throw unusable(e.getFile(), e);
        }
    }

    private static Path in(Path parent, String name) throws IOException {
        String objection = objection(parent);
        if (objection != null) {
            throw new IOException(objection + remedy());
        }
        Path directory = parent.resolve(name);
        try {
            Files.createDirectory(directory, PRIVATE);
        } catch (FileAlreadyExistsException e) {
            // made by an earlier JVM, or by one at the same time, or by somebody else
            check(directory);
        }
        return directory;
    }

    private static void check(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is not a directory; delete it" + remedy());
        }
        int owner = (int) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (owner != LibC.geteuid()) {
            throw new IOException(directory + " belongs to user " + owner + ", and this is user " + LibC.geteuid()
                    + remedy());
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("other users may write to " + directory + "; delete it" + remedy());
        }
    }

    // Whoever can rename the directory can put another in its place. Null if only this user and root can.
    private static String objection(Path parent) throws IOException {
        int mode = (int) Files.getAttribute(parent, "unix:mode");
        int owner = (int) Files.getAttribute(parent, "unix:uid");
        if (owner != LibC.geteuid() && owner != 0) {
            return parent + " belongs to user " + owner + ", who could exchange what is in it";
        }
        return (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0
                ? "other users may write to " + parent + ", and exchange what is in it" : null;
    }

    /** Many an exception says no more than a name, or no name. */
    private static IOException unusable(String place, IOException e) {
        String why = e instanceof FileSystemException file && file.getReason() != null ? file.getReason()
                : e instanceof FileSystemException ? e.getClass().getSimpleName() : e.getMessage();
        return new IOException(place + " cannot be written: " + why + remedy(), e);
    }

    /** Where else it may be. */
    static String remedy() {
        return "; name another place with -D" + PROPERTY + "=DIRECTORY";
    }

    private static Path parent() throws IOException {
        String named = System.getProperty(PROPERTY, "");
        if (!named.isEmpty()) {
            return Files.createDirectories(Path.of(named).toAbsolutePath(), PRIVATE);
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path path = cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home", ""), ".cache")
                : Path.of(cache);
        // users that the system does not know, as in containers, have the home "?" or "/"
        if (path.isAbsolute()) {
            try {
                Files.createDirectories(path, PRIVATE);
                if (Files.isWritable(path) && objection(path) == null) {
                    return path;
                }
            } catch (IOException e) {
                // as if it could not be written to
            }
        }
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Writes a file of such a directory: under its name it is either complete or not there. */
    static void write(Path file, byte[] bytes) throws IOException {
        try {
            writeWhole(file, bytes);
        } catch (IOException e) {
            throw unusable(file.toString(), e);
        }
    }

    private static void writeWhole(Path file, byte[] bytes) throws IOException {
        Path temporary = Files.createTempFile(file.getParent(), ".", ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                // a crash of the machine must not leave the name without the content
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
