// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Atomics;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.post.AtomicChecks;
import io.jfabric.internal.post.Elements;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.request.AtomicRequestImpl;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link Atomics} where local buffers need no descriptors. */
public final class PlainAtomics implements Atomics {
    private final EndpointState state;
    private final DomainState domain;
    private final AtomicOps ops;
    private final Gate gate;
    private final long fid;
    private final Limits limits;
    private final Contexts contexts;
    private final AtomicBuffers buffers = new AtomicBuffers();

    PlainAtomics(EndpointState state) {
        this.state = state;
        this.domain = state.domain();
        this.ops = state.atomicOps();
        this.gate = state.atomics();
        this.fid = gate.fid();
        this.limits = state.limits();
        this.contexts = state.contexts();
    }

    @Override
    public long maxCount(AtomicForm form, Datatype type, AtomicOp op) {
        long limit = state.atomicSupport().query(form, type, op);
        if (limit < 0 && limit != -Errno.ENOSYS) {
            throw FabricException.of("fi_atomicvalid", limit, "provider " + state.info().provider());
        }
        return Math.max(0, limit);
    }

    @Override
    public boolean apply(MemorySegment operand, long peer, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context) {
        long address = Buffers.address("fi_atomic", operand);
        long size = operand.byteSize();
        long remote = target("fi_atomic", AtomicForm.BASE, type, op, size, region, offset);
        AtomicChecks.aligned("fi_atomic", address, type);
        long key = domain.key(region);
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_atomic", size);
            long token = contexts.transmit(context, operand);
            long result = ops.write(fid, address, size >>> Elements.shift(type), 0, peer, remote, key,
                    (int) type.code(), (int) op.code(), token);
            return result == 0 || state.refused("fi_atomic", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean inject(MemorySegment operand, long peer, RemoteRegion region, long offset, Datatype type,
            AtomicOp op) {
        long address = Buffers.address("fi_inject_atomic", operand);
        long size = operand.byteSize();
        limits.checkInject("fi_inject_atomic", size);
        long remote = target("fi_inject_atomic", AtomicForm.BASE, type, op, size, region, offset);
        AtomicChecks.aligned("fi_inject_atomic", address, type);
        long key = domain.key(region);
        Bias in = gate.to(peer);
        try {
            KeptMemory.checkAlive(operand);
            long result = ops.inject(fid, address, size >>> Elements.shift(type), peer, remote, key, (int) type.code(),
                    (int) op.code());
            return result == 0 || state.refused("fi_inject_atomic", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(operand);
        }
    }

    @Override
    public boolean fetchAndApply(MemorySegment operand, MemorySegment result, long peer, RemoteRegion region,
            long offset, Datatype type, AtomicOp op, long context) {
        long into = Buffers.writable("fi_fetch_atomic", result);
        // a read has no operand, but providers count the elements of one
        MemorySegment from = operand == null && op == AtomicOp.ATOMIC_READ ? result : operand;
        long address = Buffers.address("fi_fetch_atomic", from);
        long size = from.byteSize();
        AtomicChecks.same("fi_fetch_atomic", "result", result.byteSize(), size);
        long remote = target("fi_fetch_atomic", AtomicForm.FETCH, type, op, size, region, offset);
        AtomicChecks.aligned("fi_fetch_atomic", address | into, type);
        long key = domain.key(region);
        Bias in = gate.to(peer);
        try {
            long token = contexts.transmit(context, buffers.together(from, from, result));
            long outcome = ops.readwrite(fid, address, size >>> Elements.shift(type), 0, into, 0, peer, remote, key,
                    (int) type.code(), (int) op.code(), token);
            return outcome == 0 || state.refused("fi_fetch_atomic", outcome, token);
        } finally {
            gate.leave(in);
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
        long key = domain.key(region);
        Bias in = gate.to(peer);
        try {
            long token = contexts.transmit(context, buffers.together(operand, comparand, result));
            long outcome = ops.compwrite(fid, address, size >>> Elements.shift(type), 0, compare, 0, into, 0, peer,
                    remote, key, (int) type.code(), (int) op.code(), token);
            return outcome == 0 || state.refused("fi_compare_atomic", outcome, token);
        } finally {
            gate.leave(in);
        }
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
