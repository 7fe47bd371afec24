// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.queue.CompletionQueueImpl;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The outcomes of the operations of a closed endpoint that the provider still has. Operations that have not ended may
 * go on whenever one of its queues is polled: answers to reads and fetches are written then, messages are received.
 */
final class LastReports {
    private LastReports() {
    }

    /** Keeps them for the next polls; false if an operation has not ended. Only while nobody polls. */
    static boolean areAllThere(Contexts contexts, Presence presence) {
        if (presence.isLocked()) {
            // perhaps by a process that died: then reading would never return
            return tokens(contexts).allMatch(contexts::isReserved);
        }
        List<ContextSlab> slabs = List.copyOf(contexts.slabs());
        int[] before = slabs.stream().mapToInt(ContextSlab::busy).toArray();
        Set<Long> ended = new HashSet<>();
        contexts.queues().forEach(one -> {
            if (one instanceof CompletionQueueImpl queue && queue.isOpen() && LastProgress.mayDrive(queue)) {
                queue.takeAside(error -> false);
                ended.addAll(queue.tokensAside());
            }
        });
        // errors have given back their slots, but must count as under way at the end, as the others do
        for (int i = 0; i < before.length; i++) {
            for (int left = slabs.get(i).busy(); left < before[i]; left++) {
                slabs.get(i).withdrawn();
            }
        }
        // a report of a multi-receive may be of one message of many
        return tokens(contexts).allMatch(token -> contexts.isReserved(token)
                || ended.contains(token) && !contexts.isMultiReceive(token));
    }

    private static Stream<Long> tokens(Contexts contexts) {
        return contexts.slabs().stream().flatMap(slab -> slab.tokens().stream());
    }
}
