// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.Endpoint;
import io.jfabric.MessageRequest;
import io.jfabric.Request;
import io.jfabric.TaggedRequest;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests for messages of several buffers to one peer. The last ones are reused, as each has native memory of its own;
 * a thread that comes while another uses them gets new ones.
 */
public final class SendRequests {
    private final Endpoint endpoint;
    private final AtomicReference<MessageRequest> untagged = new AtomicReference<>();
    private final AtomicReference<TaggedRequest> tagged = new AtomicReference<>();

    SendRequests(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** A request without buffers, which nobody else uses. */
    public MessageRequest take() {
        MessageRequest free = untagged.getAndSet(null);
        return free != null ? free : endpoint.messages().sendRequest();
    }

    /** The same for a tagged message. */
    public TaggedRequest takeTagged() {
        TaggedRequest free = tagged.getAndSet(null);
        return free != null ? free : endpoint.tagged().sendRequest();
    }

    /** Gives one back for others; keeps none of its buffers reachable. */
    public void give(Request<?> used) {
        switch (used.buffers()) {
            case MessageRequest message -> untagged.set(message);
            case TaggedRequest message -> tagged.set(message);
            default -> throw new AssertionError(used);
        }
    }
}
