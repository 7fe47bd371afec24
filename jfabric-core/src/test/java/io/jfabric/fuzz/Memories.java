// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory to give to the library: good, and bad in every way that Java can express. What is writable lies between
 * guards, what is read-only has a pattern; {@link #check} finds who wrote where nobody may.
 */
final class Memories {
    private static final int[] SIZES = {1, 8, 8, 16, 64, 64, 256, 1024, 4096, 4096, 16384, 65536, 262144, 1 << 20};
    private static final int GUARD = 256;
    private static final byte GUARD_BYTE = (byte) 0xA5;
    private static final long BIG = 64L << 20;
    private static final int RETURNED = 16;

    private static final MemorySegment PATTERN = pattern();
    private static final MemorySegment WHOLE_GUARD = MemorySegment.ofArray(new byte[GUARD]).fill(GUARD_BYTE);

    private final List<MemorySegment> good = new ArrayList<>();
    private final List<MemorySegment> guards = new ArrayList<>();
    private final List<MemorySegment> patterned = new ArrayList<>();
    private final List<MemorySegment> bad = new ArrayList<>();
    private final List<MemorySegment> returned = new ArrayList<>();
    private final long longest;
    /** How many endpoints may be open for which only memory that stays is good enough. */
    private final AtomicInteger demanding = new AtomicInteger();

    /** With buffers of at most this length. */
    Memories(Path directory, long longest) {
        this.longest = longest;
        Arena arena = Arena.global();
        for (int size : SIZES) {
            if (size > longest) {
                continue;
            }
            MemorySegment block = arena.allocate(size + 2L * GUARD, 64).fill(GUARD_BYTE);
            good.add(block.asSlice(GUARD, size).fill((byte) 0));
            guards.add(block.asSlice(0, GUARD));
            guards.add(block.asSlice(GUARD + size, GUARD));
            patterned.add(arena.allocate(size, 64).copyFrom(PATTERN.asSlice(0, size)));
        }
        for (MemorySegment pattern : patterned) {
            bad.add(pattern.asReadOnly());
        }
        bad.add(MemorySegment.ofArray(new byte[64]));
        bad.add(MemorySegment.ofArray(new long[64]));
        bad.add(MemorySegment.ofArray(new byte[0]));
        bad.add(MemorySegment.NULL);
        bad.add(good.getLast().asSlice(3, Math.min(1000, good.getLast().byteSize() - 3)));
        try (Arena closed = Arena.ofShared()) {
            bad.add(closed.allocate(4096));
        }
        Thread stranger = new Thread(() -> {
            MemorySegment confined = Arena.ofConfined().allocate(4096);
            synchronized (bad) {
                bad.add(confined);
            }
        });
        stranger.start();
        try {
            stranger.join();
            mapped(directory);
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Pages that cannot be written, and more of them than anybody has room for. */
    private void mapped(Path directory) throws IOException {
        Path small = directory.resolve("readonly");
        Files.write(small, new byte[8192]);
        try (FileChannel channel = FileChannel.open(small)) {
            bad.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, Math.min(8192, longest), Arena.global()));
        }
        if (longest < BIG) {
            return;
        }
        Path big = directory.resolve("big");
        try (FileChannel channel = FileChannel.open(big, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            bad.add(channel.map(FileChannel.MapMode.READ_WRITE, 0, BIG, Arena.global()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MemorySegment pattern() {
        byte[] bytes = new byte[SIZES[SIZES.length - 1]];
        new Random(7).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    MemorySegment pick(Dice dice) {
        int kind = dice.below(100);
        if (kind < 62) {
            MemorySegment whole = dice.of(good);
            return dice.percent(80) ? whole : whole.asSlice(dice.below((int) whole.byteSize()));
        }
        if (kind < 72) {
            MemorySegment whole = dice.of(good);
            return whole.asSlice(0, Math.min(whole.byteSize(), 8L * dice.below(3)));
        }
        if (kind < 84 && mustStay()) {
            return dice.of(good);
        }
        if (kind < 78) {
            // freed by the garbage collector unless somebody keeps it
            return Arena.ofAuto().allocate(1 + dice.below((int) Math.min(8192, longest)), 8);
        }
        synchronized (returned) {
            if (kind < 84 && !returned.isEmpty()) {
                return dice.of(returned);
            }
        }
        return kind < 86 ? null : dice.of(bad);
    }

    /** A length of at most that many bytes, and of no more than buffers may have. */
    long length(long wanted) {
        return Math.min(wanted, longest);
    }

    void remember(MemorySegment segment, Dice dice) {
        if (segment.byteSize() > longest) {
            return;
        }
        synchronized (returned) {
            if (returned.size() < RETURNED) {
                returned.add(segment);
            } else {
                returned.set(dice.below(RETURNED), segment);
            }
        }
    }

    /** Before an endpoint is opened whose users have to see to it that memory stays. */
    void demand() {
        demanding.incrementAndGet();
    }

    /** It was not opened. */
    void demandNot() {
        demanding.decrementAndGet();
    }

    /** They are all closed. */
    void demandNothing() {
        demanding.set(0);
    }

    boolean mustStay() {
        return demanding.get() > 0;
    }

    void forgetReturned() {
        synchronized (returned) {
            returned.clear();
        }
    }

    /** What was overwritten although nobody may; empty if all is well. It is repaired, to be told once. */
    String check() {
        StringBuilder broken = new StringBuilder();
        for (int i = 0; i < guards.size(); i++) {
            long at = guards.get(i).mismatch(WHOLE_GUARD);
            if (at >= 0) {
                broken.append(i % 2 == 0 ? " before" : " behind").append(" the block of ").append(SIZES[i / 2])
                        .append(" bytes at ").append(at).append(';');
                guards.get(i).copyFrom(WHOLE_GUARD);
            }
        }
        for (MemorySegment block : patterned) {
            MemorySegment pattern = PATTERN.asSlice(0, block.byteSize());
            long at = block.mismatch(pattern);
            if (at >= 0) {
                broken.append(" read-only block of ").append(block.byteSize()).append(" bytes at ").append(at)
                        .append(';');
                block.copyFrom(pattern);
            }
        }
        return broken.toString();
    }
}
