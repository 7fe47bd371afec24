// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import io.jfabric.Completion;
import io.jfabric.CompletionFlag;
import io.jfabric.examples.sort.Routes.Route;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Records to the ranks that they belong to, in blocks, each written into the memory of its owner. The owner has made
 * room for what comes from each rank, and learns by immediate data from whom how many records have come: it needs no
 * memory but that of its records, and what leaves needs two blocks for each rank, however much it is.
 */
public final class AllToAll {
    private static final int BLOCK_RECORDS = 4096;
    private static final long BLOCK = (long) BLOCK_RECORDS * Records.BYTES;
    private static final int BLOCKS = 2;
    /** Immediate data: a rank above a number of records, in 4 bytes, which is what some networks carry. */
    private static final int COUNT_BITS = 13;
    private static final long COUNT = (1 << COUNT_BITS) - 1;
    private static final int POLLS = 100;
    private static final long PAUSE_NANOS = 50_000;

    private final Routes routes;
    private final int rank;
    private final MemorySegment incoming;
    private final List<Outgoing> outgoing = new ArrayList<>();
    /** By rank: records that have not arrived. */
    private final long[] missing;
    private int writing;

    /** To one rank. */
    private final class Outgoing {
        private final Route route;
        private final int to;
        private final List<MemorySegment> blocks = new ArrayList<>();
        private final Deque<Integer> free = new ArrayDeque<>();
        /** Where the next record, or block, belongs in the memory of the other. */
        private long at;
        private long fill;

        Outgoing(Route route, int to, long at) {
            this.route = route;
            this.to = to;
            this.at = at;
            for (int i = 0; i < BLOCKS && to != rank; i++) {
                blocks.add(route.link().allocate(BLOCK));
                free.add(i);
            }
        }

        long add(long number) {
            if (to == rank) {
                Records.generate(number, incoming, at);
                at += Records.BYTES;
                return Records.checksum(incoming, at - Records.BYTES);
            }
            if (free.isEmpty()) {
                until(() -> !free.isEmpty());
            }
            MemorySegment block = blocks.get(free.peek());
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
                int index = free.remove();
                MemorySegment block = blocks.get(index).asSlice(0, fill);
                long data = (long) rank << COUNT_BITS | fill / Records.BYTES;
                until(() -> route.link().endpoint().rma().writeData(block, data, route.peer(), route.memory(), at,
                        (long) to * BLOCKS + index));
                writing++;
                at += fill;
                fill = 0;
                routes.poll(AllToAll.this::completed);
            }
        }
    }

    /**
     * Prepares to send and to receive. Collective.
     *
     * @param counts how many records each rank has for each other, by sender, then by receiver
     */
    public AllToAll(Routes routes, int rank, MemorySegment incoming, long[][] counts) {
        this.routes = routes;
        this.rank = rank;
        this.incoming = incoming;
        missing = Arrays.stream(counts).mapToLong(from -> from[rank]).toArray();
        missing[rank] = 0;
        List<Route> all = routes.open(incoming);
        for (int to = 0; to < counts.length; to++) {
            long before = 0;
            for (int from = 0; from < rank; from++) {
                before += counts[from][to];
            }
            outgoing.add(new Outgoing(all.get(to), to, before * Records.BYTES));
        }
    }

    /**
     * Makes a record and writes it to its owner, when a block is full.
     *
     * @return its checksum
     */
    public long add(long number, int to) {
        return outgoing.get(to).add(number);
    }

    /** Writes the rest, and waits until all has arrived here, and is away. */
    public void finish() {
        outgoing.forEach(Outgoing::flush);
        until(() -> writing == 0 && Arrays.stream(missing).allMatch(records -> records == 0));
    }

    /** Takes part in what others do, too, who may need this rank's help for it. */
    public void until(BooleanSupplier done) {
        for (int idle = 0; !done.getAsBoolean(); idle++) {
            if (routes.poll(this::completed) > 0) {
                idle = 0;
            } else if (idle > POLLS) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void completed(Completion completion) {
        if (completion.is(CompletionFlag.REMOTE_CQ_DATA)) {
            int from = (int) (completion.data() >>> COUNT_BITS);
            missing[from] -= completion.data() & COUNT;
            if (missing[from] < 0) {
                throw new IllegalStateException("rank " + from + " has written more records than it has told");
            }
        } else {
            outgoing.get((int) completion.context() / BLOCKS).free.add((int) completion.context() % BLOCKS);
            writing--;
        }
    }
}
