// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

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

    /** Before an address vector is opened: a file is made even where there is one already. */
    public static void checkFile() {
        long free = free();
        if (free < HEAD) {
            throw FabricException.of("fi_av_open", Errno.ENOSPC, lack("an address vector", HEAD, free));
        }
    }

    /** Nothing where the next place has pages of who was there before, or gets them now. */
    @Override
    long expected() {
        try {
            return free() < EXPECTED && hasPages(find(0, null)) ? 0 : EXPECTED;
        } catch (IOException nonesuch) {
            return EXPECTED;
        }
    }

    @Override
    Place place(String name) throws IOException {
        return find(ProcessHandle.current().pid(), name);
    }

    /** The first place of this process and name; any name if it is null. */
    private static Place find(long pid, String name) throws IOException {
        // unlike a channel, not closed by an interrupt
        try (RandomAccessFile file = new RandomAccessFile(FILE.toFile(), "r")) {
            ByteBuffer sizes = read(file, SIZES, 3 * Long.BYTES);
            long length = sizes.getLong();
            ByteBuffer table = read(file, sizes.getLong(), PLACES * ENTRY_BYTES);
            long first = sizes.getLong();
            for (int i = 0; i < PLACES; i++) {
                if (table.getInt(i * ENTRY_BYTES) == pid && (name == null || name.equals(name(table, i)))) {
                    return new Place(FILE, first + i * length, length);
                }
            }
        }
        throw new IOException("no such place");
    }

    private static String name(ByteBuffer table, int index) {
        byte[] bytes = new byte[NAME_BYTES];
        table.get(index * ENTRY_BYTES + Integer.BYTES, bytes);
        int length = 0;
        while (length < NAME_BYTES && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static ByteBuffer read(RandomAccessFile file, long offset, int bytes) throws IOException {
        byte[] read = new byte[bytes];
        file.seek(offset);
        file.readFully(read);
        return ByteBuffer.wrap(read).order(ByteOrder.nativeOrder());
    }
}
