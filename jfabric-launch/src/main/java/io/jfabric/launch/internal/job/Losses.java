// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import io.jfabric.launch.Job;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.WhenLost;
import io.jfabric.launch.internal.session.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who was lost, and who wants to know. */
final class Losses implements Watcher {
    private static final Logger LOG = LoggerFactory.getLogger("io.jfabric.launch.Job");
    private final WhenLost whenLost;
    private final List<LostRank> lost = new ArrayList<>();
    private final List<Consumer<LostRank>> handlers = new ArrayList<>();
    private volatile Runnable lastWords = () -> { };
    private boolean left;

    Losses(WhenLost whenLost) {
        this.whenLost = whenLost;
    }

    @Override
    public void lost(LostRank rank) {
        List<Consumer<LostRank>> all;
        synchronized (this) {
            if (left || lost.stream().anyMatch(known -> known.rank() == rank.rank())) {
                return;
            }
            lost.add(rank);
            all = List.copyOf(handlers);
        }
        if (whenLost == WhenLost.END) {
            Ending.exit("the job ends, as it has lost " + rank, Job.EXIT_LOST, lastWords);
        }
        LOG.warn("lost {}", rank);
        all.forEach(handler -> tell(handler, rank));
    }

    @Override
    public boolean endsWhenLost() {
        return whenLost == WhenLost.END;
    }

    @Override
    public void aborted(String message, int exitCode) {
        Ending.exit(message, exitCode, lastWords);
    }

    @Override
    public void beforeEnd(Runnable words) {
        lastWords = words;
    }

    /** A handler that fails, also with an Error, must not end the thread that reads. */
    private static void tell(Consumer<LostRank> handler, LostRank rank) {
        try {
            handler.accept(rank);
        } catch (Throwable e) {
            LOG.error("a handler of lost ranks has failed", e);
        }
    }

    void add(Consumer<LostRank> handler) {
        List<LostRank> before;
        synchronized (this) {
            handlers.add(handler);
            before = List.copyOf(lost);
        }
        if (!before.isEmpty()) {
            Thread.ofPlatform().daemon().name("jfabric-job-lost").start(
                    () -> before.forEach(rank -> tell(handler, rank)));
        }
    }

    synchronized List<LostRank> all() {
        return List.copyOf(lost);
    }

    /** What happens to the others is of no interest any more. */
    synchronized void leave() {
        left = true;
    }
}
