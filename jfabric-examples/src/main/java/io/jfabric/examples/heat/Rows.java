// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.heat;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Some adjacent rows of a square grid, and room for the row above and the one below, which others have. The edges of
 * the grid keep their temperature. For one thread.
 */
public final class Rows {
    private final int size;
    private final int first;
    private final int count;
    private final long row;
    private MemorySegment now;
    private MemorySegment next;

    private Rows(int size, int first, int end, SegmentAllocator memory) {
        this.size = size;
        this.first = first;
        this.count = end - first;
        this.row = size * JAVA_DOUBLE.byteSize();
        this.now = memory.allocate(JAVA_DOUBLE, (count + 2L) * size);
        this.next = memory.allocate(JAVA_DOUBLE, (count + 2L) * size);
    }

    /** The share of one of several ranks, as they are in the beginning: hot at the top. */
    public static Rows of(int size, int rank, int ranks, SegmentAllocator memory) {
        Rows rows = new Rows(size, (int) ((long) size * rank / ranks), (int) ((long) size * (rank + 1) / ranks),
                memory);
        for (long i = 0; i < (long) rows.count * size; i++) {
            long row = rows.first + i / size;
            rows.now.setAtIndex(JAVA_DOUBLE, size + i, row == 0 ? 100 : (row * 31 + i % size * 17) % 97 / 4.0);
        }
        return rows;
    }

    /** One of the own rows, from 0; -1 is the one above, and {@link #count} the one below. */
    public MemorySegment row(int index) {
        return now.asSlice((index + 1) * row, row);
    }

    /** How many there are, without those of others. */
    public int count() {
        return count;
    }

    /** The own ones. */
    public MemorySegment all() {
        return now.asSlice(row, count * row);
    }

    /** Each point gets the mean of its four neighbours. Returns the largest change. */
    public double step() {
        next.copyFrom(now);
        double largest = 0;
        for (int i = Math.max(1 - first, 0); i < count && first + i < size - 1; i++) {
            long at = (i + 1L) * size;
            for (long k = at + 1; k < at + size - 1; k++) {
                double mean = (at(k - size) + at(k + size) + at(k - 1) + at(k + 1)) / 4;
                largest = Math.max(largest, Math.abs(mean - at(k)));
                next.setAtIndex(JAVA_DOUBLE, k, mean);
            }
        }
        MemorySegment last = now;
        now = next;
        next = last;
        return largest;
    }

    private double at(long index) {
        return now.getAtIndex(JAVA_DOUBLE, index);
    }

    /** Puts them where they belong in the file of the whole grid. */
    public void write(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < count; i++) {
                ByteBuffer from = row(i).asByteBuffer();
                while (from.hasRemaining()) {
                    channel.write(from, (first + i) * row + from.position());
                }
            }
        }
    }

    /** Takes them from the file of the whole grid, however many ranks have written it. */
    public void read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            for (int i = 0; i < count; i++) {
                ByteBuffer into = row(i).asByteBuffer();
                while (into.hasRemaining()) {
                    if (channel.read(into, (first + i) * row + into.position()) < 0) {
                        throw new EOFException(file + " has no row " + (first + i));
                    }
                }
            }
        }
    }
}
