// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import io.jfabric.examples.sort.Routes.Route;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Records to the ranks that they belong to, in blocks, each a message whose tag says where it belongs in the memory of
 * the other. What arrives is received in its place; what leaves needs two blocks for each rank, however much it is.
 */
public final class AllToAll {
    private static final int BLOCK_RECORDS = 4096;
    private static final long BLOCK = (long) BLOCK_RECORDS * Records.BYTES;
    private static final int BLOCKS = 2;

    private final int rank;
    private final MemorySegment incoming;
    private final List<CompletableFuture<?>> receives = new ArrayList<>();
    private final List<Outgoing> outgoing = new ArrayList<>();

    /** To one rank. */
    private final class Outgoing {
        private final Route route;
        private final boolean own;
        private final Deque<MemorySegment> free = new ArrayDeque<>();
        private final Deque<CompletableFuture<Void>> sends = new ArrayDeque<>();
        private final Deque<MemorySegment> busy = new ArrayDeque<>();
        private long fill;
        private long sent;
        private long at;

        Outgoing(Route route, boolean own) {
            this.route = route;
            this.own = own;
            if (!own) {
                for (int i = 0; i < BLOCKS; i++) {
                    free.add(route.node().allocate(BLOCK));
                }
            }
        }

        long add(long number) {
            if (own) {
                long place = at;
                at += Records.BYTES;
                Records.generate(number, incoming, place);
                return Records.checksum(incoming, place);
            }
            if (free.isEmpty()) {
                sends.remove().join();
                free.add(busy.remove());
            }
            MemorySegment block = free.peek();
            Records.generate(number, block, fill);
            long sum = Records.checksum(block, fill);
            fill += Records.BYTES;
            if (fill == BLOCK) {
                flush();
            }
            return sum;
        }

        void flush() {
            if (fill > 0) {
                MemorySegment block = free.remove();
                sends.add(route.node().send(block, 0, fill, route.peer(), tag(rank, sent++)));
                busy.add(block);
                fill = 0;
            }
        }
    }

    /**
     * Prepares to receive.
     *
     * @param counts how many records come from each rank
     */
    public AllToAll(Routes routes, int rank, MemorySegment incoming, long... counts) {
        this.rank = rank;
        this.incoming = incoming;
        long at = 0;
        for (int from = 0; from < counts.length; from++) {
            Route route = routes.to(from);
            outgoing.add(new Outgoing(route, from == rank));
            long bytes = counts[from] * Records.BYTES;
            if (from == rank) {
                outgoing.get(from).at = at;
            } else {
                for (long block = 0; block * BLOCK < bytes; block++) {
                    long length = Math.min(BLOCK, bytes - block * BLOCK);
                    receives.add(route.node().receive(incoming, at + block * BLOCK, length, tag(from, block), 0));
                }
            }
            at += bytes;
        }
    }

    /**
     * Makes a record and sends it, when a block is full.
     *
     * @return its checksum
     */
    public long add(long number, int to) {
        return outgoing.get(to).add(number);
    }

    /** Sends the rest, and waits until all has arrived here. */
    public void finish() {
        outgoing.forEach(Outgoing::flush);
        receives.forEach(CompletableFuture::join);
        outgoing.forEach(to -> to.sends.forEach(CompletableFuture::join));
    }

    private static long tag(int from, long block) {
        return (long) from << 32 | block;
    }
}
