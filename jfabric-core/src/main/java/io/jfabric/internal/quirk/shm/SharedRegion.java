// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.quirk.Uninterrupted;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The file of a shm endpoint, which all its peers map and write to: {@code struct smr_region}, as far as it is used
 * here. There is none for an endpoint whose {@link RegionLayout} is not known.
 *
 * <p>Any thread may use it. A mapping lives until {@link #unmap}.
 */
final class SharedRegion {
    /** Where those files are. */
    static final Path FOLDER = Path.of("/dev/shm");
    private static final long PID = RegionLayout.PID;
    private static final int HEADER_BYTES = RegionLayout.HEADER_BYTES;
    private static final int PEERS = RegionLayout.PEERS;
    private static final int PEER_NAME_BYTES = 256;
    private static final long PEER_ID = 256;
    private static final long PEER_NAME_SENT = 268;
    /** Set in a size: no address space is that large, so the kernel unmaps nothing. */
    private static final long TOO_LARGE = 1L << 62;
    private static final ValueLayout.OfInt INT_UNALIGNED = ValueLayout.JAVA_INT_UNALIGNED;
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
    /** glibc's spin locks: on x86 1 is free, and less is held; elsewhere 0 is free. */
    private static final boolean ONE_IS_FREE = System.getProperty("os.arch").equals("amd64");
    static final int FREE = ONE_IS_FREE ? 1 : 0;

    private final Path file;
    private final RegionLayout layout;
    /** Mapped or a copy. */
    private final MemorySegment header;
    /** Of the mapping; null for a copy. */
    private final Arena arena;

    private SharedRegion(Path file, RegionLayout layout, MemorySegment header, Arena arena) {
        this.arena = arena;
        this.file = file;
        this.layout = layout;
        this.header = header;
    }

    /** Maps a file; null if it is not there, or not such a file. */
    static SharedRegion map(Path file) {
        return open(file, true);
    }

    /** A copy of the header of a file as it is now; null as above. */
    static SharedRegion read(Path file) {
        return open(file, false);
    }

    private static SharedRegion open(Path file, boolean mapped) {
        try {
            return onThisMachine(() -> openNow(file, mapped));
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Null where regions are not laid out as the known ones are. */
    static <T> T onThisMachine(Uninterrupted.Reading<T> reading) throws IOException {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Uninterrupted.read(reading) : null;
    }

    private static SharedRegion openNow(Path file, boolean mapped) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer copy = ByteBuffer.allocate(HEADER_BYTES);
            if (channel.read(copy, 0) < HEADER_BYTES) {
                return null;
            }
            MemorySegment header = MemorySegment.ofArray(copy.array());
            RegionLayout layout = RegionLayout.of(header, channel.size());
            if (layout == null) {
                return null;
            }
            return mapped ? mapped(file, layout, channel) : new SharedRegion(file, layout, header, null);
        }
    }

    private static SharedRegion mapped(Path file, RegionLayout layout, FileChannel channel) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            return new SharedRegion(file, layout,
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena), arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** Removes the mapping, which would keep all of a removed file; whoever uses it after that gets an exception. */
    synchronized void unmap() {
        if (isMapped()) {
            arena.close();
        }
    }

    boolean isMapped() {
        return arena != null && arena.scope().isAlive();
    }

    /** What the endpoint notes of its peers; all zero if that can no longer be read. */
    private MemorySegment peers() {
        try {
            return MemorySegment.ofArray(Uninterrupted.read(this::readPeers));
        } catch (IOException e) {
            return MemorySegment.ofArray(new byte[PEERS * layout.peerBytes()]);
        }
    }

    private byte[] readPeers() throws IOException {
        ByteBuffer copy = ByteBuffer.allocate(PEERS * layout.peerBytes());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = header.get(ValueLayout.JAVA_LONG_UNALIGNED, layout.peers());
            while (copy.hasRemaining() && channel.read(copy, from + copy.position()) > 0) {
                // the rest may come later
            }
        }
        return copy.array();
    }

    Path file() {
        return file;
    }

    /** Of a mapped region: where that is. */
    long address() {
        return header.address();
    }

    RegionLayout layout() {
        return layout;
    }

    /** The address of the map of peers in its process. */
    long map() {
        return header.get(ValueLayout.JAVA_LONG, layout.map());
    }

    /** The answers that the endpoint of a mapped region waits for; null if they are not as they should be. */
    AnswerQueue answers() {
        return AnswerQueue.of(header, header.get(ValueLayout.JAVA_LONG, layout.answers()),
                header.get(ValueLayout.JAVA_LONG, layout.buffers()));
    }

    /** Of a mapped region: whether a peer has told the endpoint by which number it knows it. */
    boolean isKnownTo(int peer) {
        return header.get(ValueLayout.JAVA_LONG_UNALIGNED, at(peer) + PEER_ID) >= 0;
    }

    /** Of a mapped region: whether the endpoint has told a peer its name, and has no answer yet. */
    boolean awaits(int peer) {
        return !isKnownTo(peer) && (short) SHORT.getVolatile(header, at(peer) + PEER_NAME_SENT) != 0;
    }

    /** In a mapped region: makes the endpoint tell a peer its name once more. */
    void forgetName(int peer) {
        SHORT.setVolatile(header, at(peer) + PEER_NAME_SENT, (short) 0);
    }

    /** In a mapped region: makes the endpoint look at its answers. */
    void signal() {
        if (layout.hasSignal()) {
            INT.setVolatile(header, layout.lock() + Integer.BYTES, 1);
        }
    }

    /**
     * Makes the provider leave a mapped region in place, in every process: it unmaps as many bytes as the size says.
     */
    void stayMapped() {
        LONG.getAndBitwiseOr(header, layout.size(), TOO_LARGE);
    }

    /** Whether a region's size says that it is to stay mapped. */
    static boolean staysMapped(MemorySegment header, RegionLayout layout) {
        return (header.get(ValueLayout.JAVA_LONG_UNALIGNED, layout.size()) & TOO_LARGE) != 0;
    }

    private long at(int peer) {
        return header.get(ValueLayout.JAVA_LONG, layout.peers()) + (long) peer * layout.peerBytes();
    }

    /** The process that it belongs to. */
    int pid() {
        return header.get(INT_UNALIGNED, PID);
    }

    /** Where its process has it mapped. */
    long base() {
        return header.get(ValueLayout.JAVA_LONG_UNALIGNED, layout.base());
    }

    /** The lock's word. */
    int lock() {
        return arena == null ? header.get(INT_UNALIGNED, layout.lock())
                : (int) INT.getVolatile(header, layout.lock());
    }

    static boolean isHeld(int lock) {
        return ONE_IS_FREE ? lock <= 0 : lock != FREE;
    }

    /** Of a mapped region: a sum that changes with each message that its lock was held for; 0 where there is none. */
    long turns() {
        long queue = layout.queueOffset();
        return !layout.hasLockedQueue() ? 0 : (long) LONG.getVolatile(header, queue + AnswerQueue.FIRST)
                + (long) LONG.getVolatile(header, queue + AnswerQueue.END);
    }

    /** Frees the lock, if its word is still that. */
    boolean release(int lock) {
        return release(header, layout, lock);
    }

    /** As above, in a mapping of the provider's. */
    static boolean release(MemorySegment header, RegionLayout layout, int lock) {
        return INT.compareAndSet(header, layout.lock(), lock, FREE);
    }

    /**
     * Whether this endpoint has inserted the other: one that has not never takes its lock. Where no names are noted,
     * whether each has noted the number that the other gave it, or this one waits for its number from any peer: that
     * may be true of strangers, too.
     */
    boolean knows(SharedRegion other) {
        String name = other.file.getFileName().toString();
        MemorySegment peers = peers();
        MemorySegment others = layout.isNamed() ? null : other.peers();
        for (int i = 0; i < PEERS; i++) {
            if (layout.isNamed()) {
                if (name(peers, i).equals(name)) {
                    return true;
                }
                continue;
            }
            long number = number(peers, i);
            if (number < 0 ? isAsked(peers, i) : number < PEERS && other.number(others, (int) number) == i) {
                return true;
            }
        }
        return false;
    }

    /** The number by which a peer knows this endpoint; less than 0 before it does. */
    private long number(MemorySegment peers, int peer) {
        return peers.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) peer * layout.peerBytes() + PEER_ID);
    }

    private boolean isAsked(MemorySegment peers, int peer) {
        return peers.get(ValueLayout.JAVA_SHORT_UNALIGNED, (long) peer * layout.peerBytes() + PEER_NAME_SENT) != 0;
    }

    /** Whether it and any peer have told each other their numbers. */
    boolean hasMet() {
        MemorySegment peers = peers();
        return IntStream.range(0, PEERS).anyMatch(peer -> number(peers, peer) >= 0);
    }

    /** The peers that were asked to map this file, and have not done so yet. */
    List<String> asked() {
        List<String> asked = new ArrayList<>();
        MemorySegment peers = peers();
        for (int i = 0; i < PEERS; i++) {
            if (isAsked(peers, i) && number(peers, i) < 0) {
                asked.add(name(peers, i));
            }
        }
        return asked;
    }

    private String name(MemorySegment peers, int peer) {
        MemorySegment bytes = peers.asSlice((long) peer * layout.peerBytes(), PEER_NAME_BYTES);
        int length = 0;
        while (length < PEER_NAME_BYTES && bytes.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return NameScheme.plain(new String(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8));
    }

    /** The file of an endpoint of that name, with or without a scheme; null if no file can have that name. */
    static Path place(String name) {
        String plain = NameScheme.plain(name);
        try {
            return plain.isEmpty() || plain.contains("/") ? null : FOLDER.resolve(plain);
        } catch (InvalidPathException otherCharacters) {
            return null;
        }
    }
}
