// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Endpoint;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** An endpoint of a queue in a wait set is closed while a thread waits for the set: see {@link SetsTest}. */
@SuppressWarnings("deprecation")
final class WaitSetClose {
    private static final Duration LONG = Duration.ofSeconds(10);
    /** A few of the slices in which a thread waits. */
    private static final long SLICES_MILLIS = 70;

    private WaitSetClose() {
    }

    public static void main(String[] args) throws Exception {
        Providers.Choice choice = Providers.connectionless()
                .filter(known -> known.toString().equals(args[0])).findFirst().orElseThrow();
        try (Pair pair = Pair.open(choice)) {
            WaitSet set = WaitSet.open(pair.fabric, WaitObject.FD);
            CompletionQueue queue = set.openCompletionQueue(pair.domain,
                    CompletionQueueAttributes.of(CompletionFormat.TAGGED));
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(pair.domain.openAddressVector()).enable();
            FutureTask<Boolean> waits = new FutureTask<>(() -> set.await(LONG));
            Thread.ofPlatform().daemon().start(waits);
            Thread.sleep(SLICES_MILLIS);
            endpoint.close();
            if (!waits.get(LONG.toSeconds() / 2, TimeUnit.SECONDS)) {
                throw new AssertionError("the thread was not told to poll");
            }
            System.out.println("SURVIVED");
        }
    }
}
