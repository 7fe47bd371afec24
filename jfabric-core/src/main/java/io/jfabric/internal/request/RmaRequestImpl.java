// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.RemoteRegion;
import io.jfabric.RmaRequest;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_op_rma;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.OperationKind;
import io.jfabric.internal.post.Remote;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@link RmaRequest}. */
public final class RmaRequestImpl extends RequestImpl<RmaRequest> implements RmaRequest {
    private final MemorySegment struct = Arena.ofAuto().allocate(fi_msg_rma.layout());
    private final RangeTable ranges = new RangeTable();

    private RmaRequestImpl(EndpointState state, Gate gate, OperationKind operation) {
        super(state, gate, operation);
    }

    public static RmaRequestImpl write(EndpointState state) {
        return new RmaRequestImpl(state, state.writes(), OperationKind.WRITE);
    }

    public static RmaRequestImpl read(EndpointState state) {
        return new RmaRequestImpl(state, state.reads(), OperationKind.READ);
    }

    @Override
    RmaRequest self() {
        return this;
    }

    @Override
    public RmaRequestImpl range(RemoteRegion region, long offset, long length) {
        put(ranges, true, region, Remote.address(region, name(), offset, length), length);
        return this;
    }

    @Override
    public RmaRequestImpl addRange(RemoteRegion region, long offset, long length) {
        put(ranges, false, region, Remote.address(region, name(), offset, length), length);
        return this;
    }

    @Override
    void check() {
        if (byteSize() != ranges.byteSize()) {
            throw new IllegalArgumentException(name() + ": the local buffers have " + byteSize()
                    + " bytes, but the remote ranges " + ranges.byteSize());
        }
        if (ranges.count() == 0) {
            throw new IllegalStateException(name() + ": set a range of a peer's memory first");
        }
    }

    @Override
    Object prepare(Object keep) {
        ranges.lookUpKeys(state.domain());
        return state.describes() ? state.localBuffers().describe(table, keep, operation.fills()) : keep;
    }

    @Override
    void prepareLater(String name) {
        ranges.lookUpKeys(state.domain());
        super.prepareLater(name);
    }

    @Override
    void describeRegistered(String name) {
        if (state.describes()) {
            state.localBuffers().describeRegistered(name, table, 0, operation.fills());
        }
    }

    @Override
    boolean fitsVector() {
        return ranges.count() == 1;
    }

    @Override
    long postVector(long fid, long token) {
        long iov = table.entries().address();
        long desc = table.descriptors().address();
        return operation == OperationKind.READ
                ? state.rmaOps().readv(fid, iov, desc, table.count(), peer(), ranges.address(), ranges.key(), token)
                : state.rmaOps().writev(fid, iov, desc, table.count(), peer(), ranges.address(), ranges.key(), token);
    }

    @Override
    long postMessage(long fid, long token, long flags) {
        OperationStructs.rma(struct, table, ranges, peer(), token, data());
        return operation == OperationKind.READ ? state.rmaOps().readmsg(fid, struct.address(), flags)
                : state.rmaOps().writemsg(fid, struct.address(), flags);
    }

    @Override
    public int deferredType() {
        return operation == OperationKind.READ ? Libfabric.FI_OP_READ() : Libfabric.FI_OP_WRITE();
    }

    @Override
    public MemorySegment deferred(Arena arena, long fid, long context, long flags) {
        MemorySegment op = fi_op_rma.allocate(arena);
        fi_op_rma.ep(op, MemorySegment.ofAddress(fid));
        OperationStructs.rma(fi_op_rma.msg(op), table.copy(arena), ranges.copy(arena), peer(), context, data());
        fi_op_rma.flags(op, flags);
        return op;
    }
}
