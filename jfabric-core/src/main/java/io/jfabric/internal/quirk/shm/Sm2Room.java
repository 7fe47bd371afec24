// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Room for an endpoint's place in the file that all of the machine share: {@code struct sm2_coord_file_header}, a table
 * of names, a region for each. Places of others are theirs to take care of.
 */
public final class Sm2Room extends Room {
    /** Why there is no place. */
    public static final String NO_PLACE = "the 256 places that all endpoints of this machine share are taken: by those "
            + "that are open, by addresses that were inserted, and by those that closed before what they had sent was "
            + "read; when no process uses the provider, remove /dev/shm/fi_sm2_mmaps";
    private static final Path FILE = SharedRegion.FOLDER.resolve("fi_sm2_mmaps");
    private static final int PLACES = 256;
    /** 1024 messages of a page each, and what leads to them. */
    private static final long EXPECTED = (1024 << 12) + (64 << 10);
    /** Header and table. */
    private static final long HEAD = 64 << 10;
    /** Behind the version and a mutex, which is 40 bytes long on x86-64 and 48 on AArch64. */
    private static final int SIZES = System.getProperty("os.arch").equals("amd64") ? 48 : 56;
    private static final int NAME_BYTES = 64;
    /** A process, a name, a byte. */
    private static final int ENTRY_BYTES = 4 + NAME_BYTES + 4;

    /** Before an address vector is opened, which makes the file. */
    public static void checkFile() {
        long free = free();
        if (free < HEAD && !Files.exists(FILE)) {
            throw FabricException.of("fi_av_open", Errno.ENOSPC, "an address vector of this provider needs " + HEAD
                    + " bytes of /dev/shm, where " + free + " are free: the process would end with a SIGBUS. "
                    + REMEDY);
        }
    }

    @Override
    long expected() {
        return EXPECTED;
    }

    @Override
    Place place(String name) throws IOException {
        try (FileChannel file = FileChannel.open(FILE, StandardOpenOption.READ)) {
            ByteBuffer sizes = read(file, SIZES, 3 * Long.BYTES);
            long length = sizes.getLong();
            ByteBuffer table = read(file, sizes.getLong(), PLACES * ENTRY_BYTES);
            long first = sizes.getLong();
            for (int i = 0; i < PLACES; i++) {
                if (isOwn(table, i * ENTRY_BYTES, name)) {
                    return new Place(FILE, first + i * length, length);
                }
            }
        }
        throw new IOException("no place of the name " + name);
    }

    private static boolean isOwn(ByteBuffer table, int entry, String name) {
        byte[] bytes = new byte[NAME_BYTES];
        table.get(entry + 4, bytes);
        int length = 0;
        while (length < NAME_BYTES && bytes[length] != 0) {
            length++;
        }
        return table.getInt(entry) == ProcessHandle.current().pid()
                && new String(bytes, 0, length, StandardCharsets.UTF_8).equals(name);
    }

    private static ByteBuffer read(FileChannel file, long offset, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        if (file.read(buffer, offset) != bytes) {
            throw new IOException("too short");
        }
        return buffer.flip();
    }
}
