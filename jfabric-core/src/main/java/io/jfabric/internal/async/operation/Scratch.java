// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.FabricArena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Buffers for atomic operations on numbers, used again and again. Those of an operation whose end the provider has not
 * reported are not: it may still write to them.
 */
public final class Scratch {
    private static final int CELLS = 64;
    private static final long BYTES = 8;

    private final FabricArena memory;
    private final ConcurrentLinkedQueue<Cell> free = new ConcurrentLinkedQueue<>();

    public Scratch(FabricArena memory) {
        this.memory = memory;
    }

    Cell take() {
        Cell cell = free.poll();
        return cell != null ? cell : more();
    }

    private Cell more() {
        MemorySegment block = memory.allocate(CELLS * 3 * BYTES, 64);
        for (int i = 1; i < CELLS; i++) {
            free.add(new Cell(block, i));
        }
        return new Cell(block, 0);
    }

    void give(Cell cell) {
        free.add(cell);
    }

    /** The buffers of one operation. */
    static final class Cell {
        final MemorySegment operand;
        final MemorySegment comparand;
        final MemorySegment result;

        Cell(MemorySegment block, int index) {
            long at = index * 3 * BYTES;
            operand = block.asSlice(at, BYTES);
            comparand = block.asSlice(at + BYTES, BYTES);
            result = block.asSlice(at + 2 * BYTES, BYTES);
        }
    }
}
