// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.internal.async.flow.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that progress fails, once: a queue that cannot be read is asked again and again. */
final class Complaint {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final Flow flow;
    private volatile boolean made;

    Complaint(Flow flow) {
        this.flow = flow;
    }

    void make(Throwable failure) {
        if (flow.isClosed() || made) {
            return;
        }
        made = true;
        try {
            LOG.error(failure instanceof IllegalStateException || failure instanceof FabricException
                    ? "a node makes no progress, its completion queue cannot be polled"
                    : "a node has failed to make progress, and tries again", failure);
        } catch (Throwable again) {
            // no memory for the message either; what is over must end nevertheless
        }
    }
}
