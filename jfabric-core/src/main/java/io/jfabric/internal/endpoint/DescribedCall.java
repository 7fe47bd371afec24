// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.post.BufferTable;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.LocalBuffers;
import java.lang.foreign.MemorySegment;

/** The descriptors of a plain remote access's or atomic operation's buffers. One per thread, used over and over. */
final class DescribedCall {
    private static final ThreadLocal<DescribedCall> CALLS = ThreadLocal.withInitial(DescribedCall::new);

    private final BufferTable table = new BufferTable();
    private EndpointState endpoint;
    private String operation;
    private boolean fills;
    private Object keep;
    private Gate gate;

    /** @param fills whether the operation writes to any of the buffers */
    static DescribedCall of(EndpointState endpoint, String operation, boolean fills) {
        DescribedCall call = CALLS.get();
        call.endpoint = endpoint;
        call.operation = operation;
        call.fills = fills;
        call.table.clear();
        return call;
    }

    /** Adds one of several buffers. */
    DescribedCall with(MemorySegment buffer) {
        table.add(buffer.address(), buffer.byteSize());
        return this;
    }

    /** Describes the only buffer of an operation. */
    DescribedCall describe(MemorySegment buffer, long offset, long length) {
        table.add(buffer.address() + offset, length);
        return describe(buffer);
    }

    /** Describes the buffers in the table. Registers them if need be, so it is called outside. */
    DescribedCall describe(Object buffers) {
        keep = endpoint.localBuffers().describe(table, buffers, fills);
        return this;
    }

    /** Goes in; to be followed by {@link #leave}. */
    long enter(Gate through, long peer) {
        gate = through;
        long fid = through.enterTo(peer, keep);
        while (endpoint.localBuffers().isStale(table, keep)) {
            describe(LocalBuffers.startOver(keep, through::leave));
            fid = through.enterTo(peer, keep);
        }
        return fid;
    }

    /** Leaves. The thread keeps this object, but must not keep an endpoint that is forgotten. */
    void leave() {
        Gate in = gate;
        gate = null;
        endpoint = null;
        keep = null;
        in.leave();
    }

    /** The token for an operation that sends this much. Call inside, where the default flags and so the limit stay. */
    long token(long context, long length) {
        try {
            endpoint.limits().checkSend(operation, length);
        } catch (RuntimeException e) {
            Kept.release(keep);
            throw e;
        }
        return token(context);
    }

    long token(long context) {
        return keep instanceof Kept ? LocalBuffers.reported(operation, endpoint.contexts().transmit(context, keep,
                ContextSlab.RESOURCES, endpoint.transmitFlags()), keep) : endpoint.contexts().transmit(context, keep);
    }

    /** That of the first buffer. */
    long descriptor() {
        return table.descriptor(0);
    }

    long descriptor(int index) {
        return table.descriptor(index);
    }

    boolean outcome(long result, long token) {
        return result == 0 || endpoint.refused(operation, result, token);
    }
}
