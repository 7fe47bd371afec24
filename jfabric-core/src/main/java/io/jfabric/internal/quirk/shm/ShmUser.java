// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file of an endpoint may be opened by its user alone, and root. */
final class ShmUser {
    private static final Path SELF = Path.of("/proc/self");

    private ShmUser() {
    }

    /** Throws if the endpoint of that name is another user's: one of the two could not open the file of the other. */
    static void checkPeer(String name) {
        Path file = SharedRegion.FOLDER.resolve(name);
        try {
            if (Files.exists(file) && !user(file).equals(user(SELF))) {
                throw FabricException.of("fi_av_insert", Errno.EACCES, "the endpoint " + name + " belongs to "
                        + owner(file) + ", and this process to " + owner(SELF)
                        + "; shm is for processes of one user: use tcp");
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            // gone meanwhile, or nobody can tell
        }
    }

    /** Throws if there is something with the name of an endpoint to be, and it cannot have that. */
    static void checkOwn(String address) {
        Path file = ShmName.file(address);
        if (!Files.exists(file)) {
            return;
        }
        String taken = "the name " + file.getFileName() + " is taken by ";
        if (!Files.isRegularFile(file)) {
            throw FabricException.of("fi_enable", Errno.EINVAL, taken + file + ", which is no file: remove it, or give "
                    + "this endpoint another name (Hints.sourceAddress)");
        }
        try (FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            opened.size();
        } catch (IOException e) {
            if (Files.exists(file)) {
                throw FabricException.of("fi_enable", ShmNameCheck.error(e), taken + "a file of " + owner(file)
                        + ", which this process cannot open (" + e.getMessage() + "): give this endpoint another name "
                        + "(Hints.sourceAddress)");
            }
        }
    }

    private static Object user(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid");
    }

    private static String owner(Path file) {
        try {
            return "the user " + Files.getOwner(file).getName();
        } catch (IOException | UnsupportedOperationException unknown) {
            return "another user";
        }
    }
}
