// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of a shm endpoint, which all its peers map and write to: {@code struct smr_region} of libfabric 1
 * (include/ofi_shm.h), as far as it is looked at here. The version byte guards against any other layout.
 *
 * <p>Any thread may use it. The mapping lives as long as this object is reachable.
 */
final class SharedRegion {
    private static final int VERSION = 4;
    private static final long PID = 4;
    private static final long LOCK = 24;
    private static final long PEERS_OFFSET = 96;
    private static final long HEADER_BYTES = 120;
    private static final int PEERS = 256;
    private static final long PEER_BYTES = 272;
    private static final int PEER_NAME_BYTES = 256;
    private static final long PEER_ID = 256;
    private static final long PEER_NAME_SENT = 268;
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    /** glibc's spin locks: on x86 1 is free, and less is held; elsewhere 0 is free. */
    private static final boolean ONE_IS_FREE = System.getProperty("os.arch").equals("amd64");
    private static final int FREE = ONE_IS_FREE ? 1 : 0;

    private final Path file;
    private final MemorySegment memory;
    private final long peers;

    private SharedRegion(Path file, MemorySegment memory, long peers) {
        this.file = file;
        this.memory = memory;
        this.peers = peers;
    }

    /** Maps the file; null if it is not there, or not such a file. */
    static SharedRegion map(Path file) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() < HEADER_BYTES) {
                return null;
            }
            MemorySegment header = channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER_BYTES, Arena.ofAuto());
            long peers = header.get(ValueLayout.JAVA_LONG, PEERS_OFFSET);
            long end = peers + PEERS * PEER_BYTES;
            if (header.get(ValueLayout.JAVA_BYTE, 0) != VERSION || header.get(ValueLayout.JAVA_INT, PID) == 0
                    || peers < HEADER_BYTES || peers % 8 != 0 || end > channel.size()) {
                return null;
            }
            MemorySegment all = channel.map(FileChannel.MapMode.READ_WRITE, 0, end, Arena.ofAuto());
            return new SharedRegion(file, all, peers);
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    Path file() {
        return file;
    }

    /** Whose it is. */
    int pid() {
        return memory.get(ValueLayout.JAVA_INT, PID);
    }

    /** The lock's word. */
    int lock() {
        return (int) INT.getVolatile(memory, LOCK);
    }

    static boolean isHeld(int lock) {
        return ONE_IS_FREE ? lock <= 0 : lock != FREE;
    }

    /** Frees the lock, if its word is still that. */
    boolean release(int lock) {
        return INT.compareAndSet(memory, LOCK, lock, FREE);
    }

    /** Whether the endpoint has inserted the other: who has not never takes its lock. */
    boolean knows(String name) {
        for (int i = 0; i < PEERS; i++) {
            if (name(i).equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The peers that were asked to map this file, and have not done so yet. */
    List<String> asked() {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            long peer = peers + i * PEER_BYTES;
            if ((int) INT.getVolatile(memory, peer + PEER_NAME_SENT) != 0
                    && memory.get(ValueLayout.JAVA_LONG, peer + PEER_ID) < 0) {
                asked.add(name(i));
            }
        }
        return asked;
    }

    private String name(int peer) {
        MemorySegment bytes = memory.asSlice(peers + peer * PEER_BYTES, PEER_NAME_BYTES);
        int length = 0;
        while (length < PEER_NAME_BYTES && bytes.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return plain(new String(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
    }

    /** A name without its scheme. */
    static String plain(String name) {
        int scheme = name.indexOf("://");
        return scheme < 0 ? name : name.substring(scheme + 3);
    }
}
