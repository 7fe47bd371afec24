// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.collective.CollectiveAttributes;
import io.jfabric.collective.CollectiveOperation;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import java.util.Optional;

/**
 * The most that libfabric's software collectives send in one message: anything that goes by rendezvous or in segments
 * is lost to them, so that the operation never ends, or ends too early.
 */
final class LongestMessage {
    private static final int UNKNOWN = -1;

    private final DomainState domain;
    private final boolean limited;
    private long bytes = UNKNOWN;

    LongestMessage(DomainState domain) {
        this.domain = domain;
        this.limited = domain.quirks().has(Quirk.LONG_COLLECTIVES);
    }

    /** Refuses an operation that would send all of so many elements in one message, if that is too long. */
    void check(String operation, long count, Datatype type) {
        check(operation, count, type, 1, 1);
    }

    /** As above, for an operation that sends them down a tree of the members, in shares. */
    void checkTree(String operation, long count, Datatype type, int members, int shares) {
        // the largest subtree below the root, or below its first child
        int half = Integer.highestOneBit(Math.max(1, members - 1));
        check(operation, count, type, Math.max(1, Math.max(members - half, half / 2)), shares);
    }

    private void check(String operation, long count, Datatype type, int blocks, int shares) {
        if (!limited || count == 0) {
            return;
        }
        if (bytes == UNKNOWN) {
            // the provider's atomics must fit into the buffers that its short messages go through
            Optional<CollectiveAttributes> known = CollectiveSupport.query(domain, CollectiveOperation.ALLREDUCE,
                    Datatype.UINT8, AtomicOp.BOR);
            bytes = known.map(CollectiveAttributes::maxCount).orElse(0L);
        }
        long most = bytes / type.byteSize() / blocks * shares;
        if (count > most) {
            throw FabricException.of(operation, Errno.EMSGSIZE, "provider " + domain.info().provider()
                    + " loses messages of collective operations of more than " + bytes + " bytes: at most "
                    + most + " elements of type " + type + " in this group, not " + count
                    + "; do it in parts, or use io.jfabric.async.Group, which has no limit");
        }
    }
}
