// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.Domain;
import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for large messages, in sizes that are powers of two, each block with an arena of its own. Blocks that are
 * given back are kept for the next message, up to a limit. If the rounded size would exceed what may be taken but the
 * message itself does not, the block is exactly as long as the message. Any thread.
 */
public final class Large {
    private static final int SMALLEST = 14;
    private static final int LARGEST_KEPT = 26;
    /** In place of the bits of a size: the size is no power of two, and the block is not kept. */
    private static final int OF_ITS_OWN = LARGEST_KEPT + 1;
    private static final long MOST_KEPT = 64 << 20;

    private final Domain domain;
    private final long limit;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong kept = new AtomicLong();
    /** Last in, first out: the last one is still cached. */
    private final Deque<Block>[] free;
    /** Blocks that could not be freed yet; they still count as taken. */
    private final Queue<Block> discarded = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public Large(Domain domain, long limit) {
        this.domain = domain;
        this.limit = limit;
        this.free = new Deque[LARGEST_KEPT + 1];
        for (int i = SMALLEST; i <= LARGEST_KEPT; i++) {
            free[i] = new ConcurrentLinkedDeque<>();
        }
    }

    /** A piece of memory. Given back once. */
    public final class Block {
        private final FabricArena arena = FabricArenaImpl.openBorrowed(domain);
        private final int bits;
        private final MemorySegment memory;

        private Block(int bits, long size) {
            this.bits = bits;
            try {
                this.memory = arena.allocate(size, 64);
            } catch (RuntimeException | Error e) {
                Leftover.close(arena::tryClose);
                throw e;
            }
        }

        public MemorySegment memory(long size) {
            return memory.asSlice(0, size);
        }

        /** No operation uses it any more. Should one still do so, the domain frees it. */
        public void giveBack() {
            taken.addAndGet(-memory.byteSize());
            if (bits <= LARGEST_KEPT && kept.addAndGet(memory.byteSize()) <= MOST_KEPT) {
                free[bits].push(this);
                if (closed) {
                    leaveFree();
                }
            } else {
                if (bits <= LARGEST_KEPT) {
                    kept.addAndGet(-memory.byteSize());
                }
                free();
            }
        }

        /** An operation that was given up may still use it. */
        public void discard() {
            if (isFreed()) {
                taken.addAndGet(-memory.byteSize());
            } else {
                keep();
            }
        }

        /** False also if closing is refused, as while the domain is closing: whoever gives it back has more to do. */
        private boolean isFreed() {
            try {
                return arena.tryClose();
            } catch (IllegalStateException | FabricException refused) {
                return false;
            }
        }

        private void free() {
            if (!isFreed()) {
                taken.addAndGet(memory.byteSize());
                keep();
            }
        }

        private void keep() {
            discarded.add(this);
            if (closed) {
                leaveDiscarded();
            }
        }
    }

    /** Takes memory of at least that size; null if that would be more than the limit. */
    public Block take(long size) {
        for (int n = discarded.size(); n > 0; n--) {
            Block block = discarded.poll();
            if (block != null) {
                block.discard();
            }
        }
        long least = Math.max(1, size);
        int bits = Math.max(SMALLEST, Long.SIZE - Long.numberOfLeadingZeros(least - 1));
        long room = bits <= LARGEST_KEPT ? 1L << bits : least;
        if (!charge(room)) {
            bits = OF_ITS_OWN;
            room = least;
            if (!charge(room)) {
                return null;
            }
        }
        Block block = bits <= LARGEST_KEPT ? free[bits].poll() : null;
        if (block != null) {
            kept.addAndGet(-room);
            return block;
        }
        try {
            return new Block(bits, room);
        } catch (RuntimeException | OutOfMemoryError e) {
            taken.addAndGet(-room);
            return null;
        }
    }

    /** False if that would exceed the limit. The count never does, even for a moment, so that what fits is taken. */
    private boolean charge(long bytes) {
        long now = taken.get();
        while (bytes <= limit - now) {
            long was = taken.compareAndExchange(now, now + bytes);
            if (was == now) {
                return true;
            }
            now = was;
        }
        return false;
    }

    /** Gives a block back after an operation; the block may be null. */
    public static void release(Block block, Throwable failure) {
        if (block != null && failure == null) {
            block.giveBack();
        } else if (block != null) {
            block.discard();
        }
    }

    public void close() {
        closed = true;
        leaveFree();
        leaveDiscarded();
    }

    private void leaveFree() {
        for (int i = SMALLEST; i <= LARGEST_KEPT; i++) {
            for (Block block = free[i].poll(); block != null; block = free[i].poll()) {
                kept.addAndGet(-block.memory.byteSize());
                Leftover.close(block.arena::tryClose);
            }
        }
    }

    private void leaveDiscarded() {
        for (Block block = discarded.poll(); block != null; block = discarded.poll()) {
            Leftover.close(block.arena::tryClose);
        }
    }
}
