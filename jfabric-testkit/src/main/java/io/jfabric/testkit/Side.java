// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.info.FabricInfo;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One endpoint of a {@link Pair}, with its queue, its address vector and what has completed so far. */
public final class Side {
    /** Enabled, unless a {@link Connected} left that to the test. */
    public final Endpoint endpoint;
    /** Of both directions. */
    public final CompletionQueue queue;
    /** Null where there are connections. */
    public final @Nullable AddressVector addresses;
    /** The other endpoint, in this side's address vector. */
    public long peer;
    private final List<Done> done = new ArrayList<>();

    /** Of an endpoint that is bound to the other two. */
    public Side(Endpoint endpoint, CompletionQueue queue, @Nullable AddressVector addresses) {
        this.endpoint = endpoint;
        this.queue = queue;
        this.addresses = addresses;
    }

    /** An endpoint with a queue and an address vector of its own, enabled after {@code beforeEnable} has seen it. */
    public static Side open(Domain domain, FabricInfo info, CompletionQueueAttributes attributes,
            Consumer<Endpoint> beforeEnable) {
        AddressVector addresses = domain.openAddressVector();
        CompletionQueue queue = domain.openCompletionQueue(attributes);
        Endpoint endpoint = domain.openEndpoint(info)
                .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses);
        beforeEnable.accept(endpoint);
        return new Side(endpoint.enable(), queue, addresses);
    }

    /** The same, with a queue of format TAGGED. */
    public static Side open(Domain domain, FabricInfo info) {
        return open(domain, info, CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> { });
    }

    /** Reads what the queue has; call it, or {@link Pair#progress()}, to make progress. */
    public int poll() {
        return poll(16);
    }

    /** Reads no more than that. */
    public int poll(int limit) {
        return queue.poll(new CompletionHandler() {
            @Override
            public void onCompletion(Completion completion) {
                done.add(Done.of(completion, queue.attributes().format()));
            }

            @Override
            public void onError(CompletionError error) {
                done.add(Done.of(error));
            }
        }, limit);
    }

    /** What has completed and was not taken. */
    public List<Done> done() {
        return done;
    }

    /** Takes the first completion that matches; null if there is none yet. */
    public @Nullable Done take(Predicate<Done> which) {
        for (Iterator<Done> it = done.iterator(); it.hasNext();) {
            Done next = it.next();
            if (which.test(next)) {
                it.remove();
                return next;
            }
        }
        return null;
    }
}
