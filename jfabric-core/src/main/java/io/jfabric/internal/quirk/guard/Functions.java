// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.info.FabricInfo;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.ops.TaggedOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.function.LongSupplier;

/** The functions of an endpoint that operations call: the provider's own, unless something has to stand before them. */
public final class Functions {
    private final MsgOps messages;
    private final TaggedOps tagged;
    private final RmaOps rma;
    private final AtomicOps atomics;
    /** Null where queues do not overflow. */
    private final CountedMessages counted;

    /** Of an endpoint that is being opened; the guard may be null. Operations without flags have those given. */
    public Functions(Quirks quirks, FabricInfo info, Contexts contexts, FetchGuard guard, LongSupplier flags) {
        counted = quirks.has(Quirk.QUEUES_OVERFLOW) ? new CountedMessages(contexts, info) : null;
        messages = counted != null ? counted : guard == null ? new MsgOps() : new GuardedOps.OfMessages(guard);
        tagged = guard == null ? new TaggedOps() : new GuardedOps.OfTagged(guard);
        rma = guard != null ? new GuardedOps.OfRma(guard)
                : quirks.has(Quirk.DATA_OVERFLOWS_QUEUE) ? new RoomForData(info.tx().size())
                : quirks.has(Quirk.WRITES_WITHOUT_DEFAULTS) ? new DeliveredWrites(flags) : new RmaOps();
        atomics = guard != null ? new GuardedOps.OfAtomics(guard)
                : quirks.has(Quirk.REFUSED_ATOMICS_SPOIL) ? new DeliveredAtomics(flags) : new AtomicOps();
    }

    /** Finds them; again after every call that may have changed them, the last of which counts. */
    public synchronized void lookUp(long fid) {
        messages.lookUp(fid);
        tagged.lookUp(fid);
        rma.lookUp(fid);
        atomics.lookUp(fid);
    }

    /** Whether they are still those of the endpoint. */
    public boolean areOf(long fid) {
        return messages.areOf(fid) && tagged.areOf(fid) && rma.areOf(fid) && atomics.areOf(fid);
    }

    public MsgOps messages() {
        return messages;
    }

    public TaggedOps tagged() {
        return tagged;
    }

    public RmaOps rma() {
        return rma;
    }

    public AtomicOps atomics() {
        return atomics;
    }

    /** Null where queues do not overflow. */
    public CountedMessages counted() {
        return counted;
    }

    /** The endpoint is closed, its operations not yet forgotten. */
    public void close() {
        if (counted != null) {
            counted.close();
        }
    }
}
