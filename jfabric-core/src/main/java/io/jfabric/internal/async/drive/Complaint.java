// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.async.Node;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.ffi.Log;

/** Logs that progress fails, once: a queue that cannot be read is asked again and again. */
final class Complaint {
    private static final Log LOG = Log.of(Node.class);

    private final Flow flow;
    private final String text;
    private volatile boolean made;

    Complaint(Flow flow, String text) {
        this.flow = flow;
        this.text = text;
    }

    void make(Throwable failure) {
        if (flow.isClosed() || made) {
            return;
        }
        made = true;
        LOG.error(text, failure);
    }
}
