// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.connect;

import io.jfabric.Endpoint;
import io.jfabric.EventException;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.future.Progress;
import java.util.EnumSet;
import java.util.Set;

/** A connection that is being made, by either side. */
final class Connecting extends NodeFuture<Peer> {
    /** Errors that mean no answer. Not all are of networks: some providers report the thread's last failure instead. */
    private static final Set<FabricError> WITHOUT_ANSWER = EnumSet.of(FabricError.EIO, FabricError.ECONNRESET,
            FabricError.ENOTCONN, FabricError.EINPROGRESS, FabricError.EALREADY, FabricError.EAGAIN, FabricError.EINTR,
            FabricError.ENOENT);

    final Endpoint endpoint;
    final long deadline;
    /** Whether the call that asked for it has returned: the other side may be faster. */
    volatile boolean asked;
    /** What the other side said; null until it has. For the thread that polls. */
    byte[] answer;
    /** Why there will be no connection; null if that is not known. For the thread that polls. */
    EventException failure;
    /** Whether the other side has ended it already. For the thread that polls. */
    boolean ended;
    /** The other side, in case it is gone when the provider is asked for it; null if unknown. */
    final Address where;
    private final String what;
    private final byte[] greeting;

    /** With the greeting that came along already; null for the side that asked. */
    Connecting(Progress progress, Endpoint endpoint, Address where, long deadline, String what, byte[] greeting) {
        super(progress);
        this.endpoint = endpoint;
        this.where = where;
        this.deadline = deadline;
        this.what = what;
        this.greeting = greeting;
    }

    @Override
    public String described() {
        return what;
    }

    boolean isEstablished() {
        return asked && answer != null;
    }

    byte[] greeting() {
        return greeting == null ? answer : greeting;
    }

    /** The other side has refused or said nothing, or there is none. */
    FabricException refused(EventException event) {
        if (greeting == null && event.errorData().length == 0 && WITHOUT_ANSWER.contains(event.error())) {
            FabricException refused = FabricException.of(what, FabricError.ECONNREFUSED.code(),
                    "the other side has ended it without an answer");
            refused.initCause(event);
            return refused;
        }
        return event.during(what, why(event));
    }

    private String why(EventException event) {
        if (event.error() == FabricError.ENOPROTOOPT) {
            return "what is there does not speak the protocol of provider " + endpoint.info().provider()
                    + ", or another version of it: connect to the address of a listener of that provider";
        }
        return event.errorData().length > 0 ? "the other side has refused it"
                : "nobody listens there, or the other side has refused it";
    }

    Throwable late() {
        return FabricException.of(what, FabricError.ETIMEDOUT.code(),
                "the deadline has passed; the other side does not answer");
    }
}
