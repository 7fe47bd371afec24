// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.async.Group;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.examples.heat.Halo;
import io.jfabric.examples.heat.Rows;
import io.jfabric.info.Hints;
import io.jfabric.launch.Job;
import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.WhenLost;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Heat spreads over a plate, whose rows the processes of a job share. Kill one of them (but not the launcher): the
 * others go on without it, from the last checkpoint. Look at {@link #run}. The end is compared with what one process
 * alone computes, bit for bit.
 *
 * <p>Usage: HeatStencil [PROVIDER [SIZE [STEPS [DIRECTORY]]]], by scripts/launch --keep-going -n 4 scripts/example
 * HeatStencil tcp 1000 5000. The directory, which all hosts must have in common, gets the checkpoints; unless you name
 * another, it is that for temporary files
 */
public final class HeatStencil {
    private static final int EVERY = 50;
    /** How long a rank may stand still before the others go on without it. The end of a process is known sooner. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final Job job;
    private final Node node;
    private final List<Peer> peers;
    private final int size;
    private final long steps;
    private final Path directory;
    /** The step of the last checkpoint that all have written, as far as this rank knows, and of the one before. */
    private long saved;
    private long before;

    private HeatStencil(Job job, Node node, List<Peer> peers, int size, int steps, Path directory) {
        this.job = job;
        this.node = node;
        this.peers = peers;
        this.size = size;
        this.steps = steps;
        this.directory = directory;
    }

    /** Takes a provider, how many rows and columns the grid has, the number of steps, and a directory. */
    public static void main(String[] args) {
        int size = Arguments.number(args, 1, 500);
        int steps = Arguments.number(args, 2, 1000);
        Path directory = Path.of(args.length > 3 ? args[3] : System.getProperty("java.io.tmpdir"));
        try (Job job = Job.join(JobOptions.DEFAULT.withWhenLost(WhenLost.REPORT))) {
            try (Hints hints = Hints.rdm().provider(args.length > 0 ? args[0] : "tcp"); Node node = Node.open(hints);
                    KeepAlive alive = KeepAlive.open(node, INTERVAL, 4)) {
                List<Peer> peers = job.exchange(node);
                job.onLost(lost -> {
                    // the launcher has rank -1
                    if (lost.rank() >= 0) {
                        peers.get(lost.rank()).close();
                    }
                });
                Group all = Group.ofPeers(node, "all", peers, job.rank());
                alive.watch(all);
                System.out.println("rank " + job.rank() + " is process " + ProcessHandle.current().pid());
                new HeatStencil(job, node, peers, size, steps, directory).run(all);
            } catch (Throwable e) {
                e.printStackTrace();
                // not job.abort: the others are to go on. The job is not closed, so they are told
                System.exit(1);
            }
        }
    }

    private void run(Group all) throws IOException {
        Group group = all;
        int failed = 0;
        for (boolean done = false; !done;) {
            try {
                compute(group);
                // nobody leaves, and is missed, while others compute
                job.barrier();
                done = true;
            } catch (CompletionException somebodyIsLost) {
                group = shrink(group);
            } catch (JobException e) {
                if (hasLost(group)) {
                    group = shrink(group);
                } else if (++failed > job.lost().size()) {
                    throw e;
                }
            }
        }
        if (group.rank() == 0) {
            compare(group.size());
        }
    }

    /** Each loss makes a barrier fail at all, also at those who did without the lost rank before. */
    private boolean hasLost(Group group) {
        return job.lost().stream().anyMatch(lost -> lost.rank() >= 0
                && group.members().contains(peers.get(lost.rank())));
    }

    private Group shrink(Group group) {
        // the greatest: a checkpoint that one rank knows to be complete is complete
        Group.Shrunk left = group.shrink(-saved, INTERVAL.multipliedBy(4)).join();
        note(-left.least());
        if (left.group().rank() == 0) {
            System.out.println("ranks " + left.group().members().stream().map(peers::indexOf).toList()
                    + " go on from step " + saved);
        }
        return left.group();
    }

    /** From the last checkpoint to the end. What has failed may still use its memory, so each time it gets new one. */
    private void compute(Group group) throws IOException {
        Rows rows = Rows.of(size, group.rank(), group.size(), node.memory());
        if (saved > 0) {
            rows.read(file(saved));
        }
        MemorySegment change = node.allocate(JAVA_DOUBLE.byteSize());
        try (Halo halo = new Halo(group)) {
            for (long step = saved + 1; step <= steps; step++) {
                halo.exchange(rows);
                change.set(JAVA_DOUBLE, 0, rows.step());
                if (step % EVERY == 0 || step == steps) {
                    rows.write(file(step));
                    // once this is done, all have begun it, and so have written their rows
                    group.allReduce(change, change, Datatype.DOUBLE, AtomicOp.MAX).join();
                    if (group.rank() == 0) {
                        System.out.println("step " + step + ": the largest change is " + change.get(JAVA_DOUBLE, 0));
                        // for the same reason all know that the one between is complete
                        Files.deleteIfExists(file(before));
                    }
                    note(step);
                }
            }
        }
    }

    private void note(long step) {
        if (step > saved) {
            before = saved;
            saved = step;
        }
    }

    /** A rank that others gave up may write to it, too: the same bits. */
    private Path file(long step) {
        return directory.resolve("heat-" + size + "-" + step);
    }

    private void compare(int ranks) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            Rows alone = Rows.of(size, 0, 1, arena);
            for (int step = 0; step < steps; step++) {
                alone.step();
            }
            Rows together = Rows.of(size, 0, 1, arena);
            together.read(file(steps));
            Expect.same("the first byte that differs", -1L, alone.all().mismatch(together.all()));
        }
        Files.deleteIfExists(file(before));
        Files.delete(file(steps));
        System.out.println("ok: the same bits, " + ranks + " ranks at the end");
    }
}
