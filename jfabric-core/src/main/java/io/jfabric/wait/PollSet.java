// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.FabricObject;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.wait.PollSetImpl;
import java.util.List;
import java.util.Objects;

/**
 * Completion queues and counters that are looked at together (fi_poll(3)). Thread-safe as far as the domain's
 * threading level allows.
 *
 * @deprecated as in libfabric: poll the queues themselves
 */
@Deprecated
public sealed interface PollSet extends FabricObject permits PollSetImpl {
    /**
     * Opens a poll set ({@code fi_poll_open}).
     *
     * @param domain the domain of the members
     * @return the poll set
     */
    static PollSet open(Domain domain) {
        return PollSetImpl.open(((DomainImpl) Objects.requireNonNull(domain, "domain")).state());
    }

    /**
     * Adds a queue ({@code fi_poll_add}), unless it is there. It cannot be closed as long as it is in the set.
     *
     * @param queue of the same domain
     * @return this
     */
    PollSet add(CompletionQueue queue);

    /**
     * Adds a counter ({@code fi_poll_add}), unless it is there. It cannot be closed as long as it is in the set.
     *
     * @param counter of the same domain
     * @return this
     */
    PollSet add(Counter counter);

    /**
     * Removes a queue ({@code fi_poll_del}).
     *
     * @param queue a member
     * @return this
     */
    PollSet remove(CompletionQueue queue);

    /**
     * Removes a counter ({@code fi_poll_del}).
     *
     * @param counter a member
     * @return this
     */
    PollSet remove(Counter counter);

    /**
     * Looks which members have something to read, and drives progress ({@code fi_poll}).
     *
     * @return queues with entries and counters that changed
     * @throws io.jfabric.FabricException from the provider
     * @throws IllegalStateException if the set is closed
     */
    List<FabricObject> poll();
}
