// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Fabric;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Two threads add and remove queues while others look at the set: see {@link SetsTest}. */
@SuppressWarnings("deprecation")
final class PollSetRace {
    private static final int QUEUES = 4;
    private static final int ROUNDS = 50_000;

    private PollSetRace() {
    }

    public static void main(String[] args) throws Exception {
        Threads.deathEndsTheJvm();
        Providers.Choice choice = Providers.connectionless()
                .filter(known -> known.toString().equals(args[0])).findFirst().orElseThrow();
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first()); PollSet set = PollSet.open(domain)) {
            AtomicBoolean over = new AtomicBoolean();
            List<Thread> pollers = new ArrayList<>();
            List<Thread> changers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                pollers.add(Thread.ofPlatform().start(() -> {
                    while (!over.get()) {
                        set.poll();
                    }
                }));
                List<CompletionQueue> queues = new ArrayList<>();
                for (int j = 0; j < QUEUES; j++) {
                    queues.add(domain.openCompletionQueue(CompletionFormat.CONTEXT));
                }
                changers.add(Thread.ofPlatform().start(() -> change(set, queues)));
            }
            for (Thread changer : changers) {
                changer.join();
            }
            over.set(true);
            for (Thread poller : pollers) {
                poller.join();
            }
            System.out.println("SURVIVED");
        }
    }

    private static void change(PollSet set, List<CompletionQueue> queues) {
        for (int i = 0; i < ROUNDS / QUEUES; i++) {
            queues.forEach(set::add);
            queues.forEach(set::remove);
        }
    }
}
