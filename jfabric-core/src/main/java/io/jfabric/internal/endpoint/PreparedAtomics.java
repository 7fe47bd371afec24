// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Atomics;
import io.jfabric.Datatype;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.post.AtomicChecks;
import io.jfabric.internal.post.Elements;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.request.AtomicRequestImpl;
import java.lang.foreign.MemorySegment;

/** {@link Atomics} where local buffers need descriptors, or where not every peer can be fetched from at any time. */
public final class PreparedAtomics implements Atomics {
    private final EndpointState state;
    private final PlainAtomics plain;
    private final AtomicOps ops;
    private final Gate gate;
    private final AtomicBuffers buffers = new AtomicBuffers();

    PreparedAtomics(EndpointState state) {
        this.state = state;
        this.plain = new PlainAtomics(state);
        this.ops = state.atomicOps();
        this.gate = state.atomics();
    }

    @Override
    public long maxCount(AtomicForm form, Datatype type, AtomicOp op) {
        return plain.maxCount(form, type, op);
    }

    @Override
    public boolean apply(MemorySegment operand, long peer, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context) {
        if (!state.describes()) {
            return plain.apply(operand, peer, region, offset, type, op, context);
        }
        long address = Buffers.address("fi_atomic", operand);
        long size = operand.byteSize();
        long remote = target("fi_atomic", AtomicForm.BASE, type, op, size, region, offset);
        AtomicChecks.aligned("fi_atomic", address, type);
        long key = state.domain().key(region);
        gate.checkTo(peer);
        DescribedCall call = DescribedCall.of(state, "fi_atomic", false).describe(operand, 0, size);
        long fid = call.enter(gate, peer);
        try {
            long token = call.token(context, size);
            return call.outcome(ops.write(fid, address, size >>> Elements.shift(type), call.descriptor(), peer, remote,
                    key, (int) type.code(), (int) op.code(), token), token);
        } finally {
            call.leave();
        }
    }

    @Override
    public boolean inject(MemorySegment operand, long peer, RemoteRegion region, long offset, Datatype type,
            AtomicOp op) {
        AtomicChecks.mayInject(state);
        return plain.inject(operand, peer, region, offset, type, op);
    }

    @Override
    public boolean fetchAndApply(MemorySegment operand, MemorySegment result, long peer, RemoteRegion region,
            long offset, Datatype type, AtomicOp op, long context) {
        long into = Buffers.writable("fi_fetch_atomic", result);
        MemorySegment from = operand == null && op == AtomicOp.ATOMIC_READ ? result : operand;
        long address = Buffers.address("fi_fetch_atomic", from);
        long size = from.byteSize();
        AtomicChecks.same("fi_fetch_atomic", "result", result.byteSize(), size);
        long remote = target("fi_fetch_atomic", AtomicForm.FETCH, type, op, size, region, offset);
        AtomicChecks.aligned("fi_fetch_atomic", address | into, type);
        gate.checkTo(peer);
        if (!mayFetch("fi_fetch_atomic", peer)) {
            return false;
        }
        if (!state.describes()) {
            return plain.fetchAndApply(operand, result, peer, region, offset, type, op, context);
        }
        long key = state.domain().key(region);
        DescribedCall call = DescribedCall.of(state, "fi_fetch_atomic", true).with(from).with(result)
                .describe(buffers.together(from, from, result));
        long fid = call.enter(gate, peer);
        try {
            long token = call.token(context);
            return call.outcome(ops.readwrite(fid, address, size >>> Elements.shift(type), call.descriptor(), into,
                    call.descriptor(1), peer, remote, key, (int) type.code(), (int) op.code(), token), token);
        } finally {
            call.leave();
        }
    }

    @Override
    public boolean compareAndApply(MemorySegment operand, MemorySegment comparand, MemorySegment result, long peer,
            RemoteRegion region, long offset, Datatype type, AtomicOp op, long context) {
        long address = Buffers.address("fi_compare_atomic", operand);
        long compare = Buffers.address("fi_compare_atomic", comparand);
        long into = Buffers.writable("fi_compare_atomic", result);
        long size = operand.byteSize();
        AtomicChecks.same("fi_compare_atomic", "comparand", comparand.byteSize(), size);
        AtomicChecks.same("fi_compare_atomic", "result", result.byteSize(), size);
        long remote = target("fi_compare_atomic", AtomicForm.COMPARE, type, op, size, region, offset);
        AtomicChecks.aligned("fi_compare_atomic", address | compare | into, type);
        gate.checkTo(peer);
        if (!mayFetch("fi_compare_atomic", peer)) {
            return false;
        }
        if (!state.describes()) {
            return plain.compareAndApply(operand, comparand, result, peer, region, offset, type, op, context);
        }
        long key = state.domain().key(region);
        DescribedCall call = DescribedCall.of(state, "fi_compare_atomic", true).with(operand)
                .with(comparand).with(result).describe(buffers.together(operand, comparand, result));
        long fid = call.enter(gate, peer);
        try {
            long token = call.token(context);
            return call.outcome(ops.compwrite(fid, address, size >>> Elements.shift(type), call.descriptor(), compare,
                    call.descriptor(1), into, call.descriptor(2), peer, remote, key, (int) type.code(), (int) op.code(),
                    token), token);
        } finally {
            call.leave();
        }
    }

    private boolean mayFetch(String operation, long peer) {
        return state.peers().mayFetch(operation, peer, state.contexts().seesTransmits());
    }

    private long target(String operation, AtomicForm form, Datatype type, AtomicOp op, long size, RemoteRegion region,
            long offset) {
        return AtomicChecks.target(state, operation, form, type, op, size, region, offset);
    }

    @Override
    public AtomicRequest request(AtomicForm form, Datatype type, AtomicOp op) {
        return AtomicRequestImpl.of(state, form, type, op);
    }
}
