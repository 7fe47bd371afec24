// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.connect;

import io.jfabric.Endpoint;
import io.jfabric.EventException;
import io.jfabric.async.Peer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Errors;
import io.jfabric.internal.async.future.NodeFuture;

/** A connection that is being made, by either side. */
final class Connecting extends NodeFuture<Peer> {
    final Endpoint endpoint;
    final long deadline;
    /** Whether the call that asked for it has returned: the other side may be faster. */
    volatile boolean asked;
    /** What the other side said; null until it is there. In the thread that polls. */
    byte[] answer;
    private final String what;
    private final byte[] greeting;

    /** With what came along already; null for the side that asked. */
    Connecting(Drive drive, Endpoint endpoint, long deadline, String what, byte[] greeting) {
        super(drive);
        this.endpoint = endpoint;
        this.deadline = deadline;
        this.what = what;
        this.greeting = greeting;
    }

    boolean isEstablished() {
        return asked && answer != null;
    }

    byte[] greeting() {
        return greeting == null ? answer : greeting;
    }

    /** The other side has said no, or there is none. */
    EventException refused(EventException event) {
        return event.during(what, event.errorData().length > 0 ? "the other side has refused it"
                : "nobody listens there, or the other side has refused it");
    }

    Throwable late() {
        return Errors.lateConnection(what);
    }
}
