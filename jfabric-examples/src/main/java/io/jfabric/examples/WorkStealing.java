// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.info.Capability.ATOMIC;
import static io.jfabric.info.Capability.MSG;
import static io.jfabric.info.Capability.RMA;
import static io.jfabric.option.MemoryAccess.REMOTE_READ;
import static io.jfabric.option.MemoryAccess.REMOTE_WRITE;

import io.jfabric.RemoteRegion;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Processes share work without a master: one that has none steals half of another's. Look at the queue: a range of
 * tasks, both ends in one 64-bit number, so that a single {@code compareAndSwap} takes from it. The owner is not asked,
 * and uses the same operation itself. Each result is added to a table in the memory of process 0, which compares it
 * with its own: a task that was lost or done twice would be seen.
 *
 * <p>Usage: WorkStealing [PROVIDER [PROCESSES]], such as shm (the default) or tcp
 */
public final class WorkStealing {
    private static final int TASKS = 600;
    private static final long NOTHING = range(0, 0);

    private final Ranks ranks;
    private final Node node;
    private final Peer[] peers;
    private final RemoteRegion[] queues;
    private final RemoteRegion[] tables;
    private int stolen;
    private int done;

    private WorkStealing(Ranks ranks, Node node, Peer[] peers, RemoteRegion[] queues, RemoteRegion[] tables) {
        this.ranks = ranks;
        this.node = node;
        this.peers = peers;
        this.queues = queues;
        this.tables = tables;
    }

    /** Takes the name of a provider and the number of processes. */
    public static void main(String[] args) throws Exception {
        int processes = Arguments.number(args, 1, 3);
        Ranks.run(WorkStealing.class, processes, ranks -> work(args.length > 0 ? args[0] : "shm", ranks), args);
    }

    private static void work(String provider, Ranks ranks) throws Exception {
        try (Hints hints = Hints.rdm().provider(provider).capabilities(MSG, RMA, ATOMIC);
                Node node = Node.open(hints)) {
            MemorySegment queue = node.allocate(8);
            MemorySegment table = node.allocate(8L * TASKS);
            // all the work lies with process 0 at first
            queue.set(ValueLayout.JAVA_LONG, 0, ranks.rank == 0 ? range(0, TASKS) : range(0, 0));
            byte[] mine = node.register(queue, REMOTE_READ, REMOTE_WRITE).remote().toBytes();
            byte[] results = node.register(table, REMOTE_READ, REMOTE_WRITE).remote().toBytes();
            WorkStealing worker = new WorkStealing(ranks, node,
                    ranks.exchange(node.address().bytes()).stream().map(node::peer).toArray(Peer[]::new),
                    regions(ranks.exchange(mine)), regions(ranks.exchange(results)));
            worker.run();
            ranks.barrier();
            System.out.printf("process %d has done %d tasks and stolen %d%n", ranks.rank, worker.done,
                    worker.stolen);
            if (ranks.rank == 0) {
                check(table);
            }
            ranks.barrier();
        }
    }

    private static RemoteRegion[] regions(List<byte[]> descriptions) {
        return descriptions.stream().map(RemoteRegion::of).toArray(RemoteRegion[]::new);
    }

    /** Own work first. Then half of another's becomes own work, until nobody has any. */
    private void run() {
        for (int victim = 0; victim < ranks.size;) {
            for (long task = take(ranks.rank); task != NOTHING; task = take(ranks.rank)) {
                int number = first(task);
                node.fetchAndAdd(peers[0], tables[0], 8L * number, compute(number)).join();
                done++;
            }
            long loot = take(victim);
            if (loot == NOTHING) {
                victim++;
            } else {
                // nobody changes a queue that is empty, but its owner
                node.compareAndSwap(peers[ranks.rank], queues[ranks.rank], 0, read(ranks.rank), loot).join();
                stolen += end(loot) - first(loot);
                victim = 0;
            }
        }
    }

    /** The first task of the own queue, or the second half of another's. */
    private long take(int owner) {
        for (long all = read(owner); first(all) < end(all); all = read(owner)) {
            int cut = owner == ranks.rank ? first(all) + 1 : (first(all) + end(all)) / 2;
            boolean front = owner == ranks.rank;
            long rest = front ? range(cut, end(all)) : range(first(all), cut);
            if (node.compareAndSwap(peers[owner], queues[owner], 0, all, rest).join() == all) {
                return front ? range(first(all), cut) : range(cut, end(all));
            }
        }
        return NOTHING;
    }

    private long read(int owner) {
        return node.fetchAndAdd(peers[owner], queues[owner], 0, 0).join();
    }

    private static long range(int first, int end) {
        return (long) first << 32 | end;
    }

    private static int first(long range) {
        return (int) (range >>> 32);
    }

    private static int end(long range) {
        return (int) range;
    }

    /** Steps of the Collatz sequences of some numbers: more work for later tasks. */
    private static long compute(int task) {
        long steps = 1;
        for (long start = 1; start <= task; start++) {
            for (long n = start; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) {
                steps++;
            }
        }
        return steps;
    }

    private static void check(MemorySegment table) {
        for (int task = 0; task < TASKS; task++) {
            long result = table.getAtIndex(ValueLayout.JAVA_LONG, task);
            if (result != compute(task)) {
                throw new IllegalStateException("task " + task + " gave " + result + ", not " + compute(task));
            }
        }
        System.out.printf("ok: %d tasks, each done once%n", TASKS);
    }
}
