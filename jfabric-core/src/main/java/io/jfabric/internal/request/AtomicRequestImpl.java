// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_compare;
import io.jfabric.bindings.fi_msg_fetch;
import io.jfabric.bindings.fi_op_atomic;
import io.jfabric.bindings.fi_op_compare_atomic;
import io.jfabric.bindings.fi_op_fetch_atomic;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.post.AtomicChecks;
import io.jfabric.internal.post.BufferTable;
import io.jfabric.internal.post.Elements;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.LocalBuffers;
import io.jfabric.internal.post.OperationKind;
import io.jfabric.internal.quirk.Quirk;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** {@link AtomicRequest}. */
public final class AtomicRequestImpl extends RequestImpl<AtomicRequest> implements AtomicRequest {
    private final MemorySegment struct = Arena.ofAuto().allocate(fi_msg_atomic.layout());
    private final AtomicForm form;
    private final Datatype type;
    private final AtomicOp op;
    private final int shift;
    private final BufferTable comparandTable = new BufferTable();
    private final BufferTable resultTable = new BufferTable();
    private final RangeTable targets = new RangeTable();
    private MemorySegment[] comparands = EMPTY;
    private MemorySegment[] results = EMPTY;
    /** All buffers, as one object to keep reachable; replaced with them, never changed. */
    private Object[] together = new Object[3];
    /** Whether it is a read without operands, for which providers count the elements of some. */
    private boolean readsOnly;

    private AtomicRequestImpl(EndpointState state, AtomicForm form, Datatype type, AtomicOp op) {
        super(state, state.atomics(), OperationKind.of(form));
        this.form = form;
        this.type = Objects.requireNonNull(type, "type");
        this.op = Objects.requireNonNull(op, "op");
        this.shift = Elements.shift(type);
    }

    public static AtomicRequestImpl of(EndpointState state, AtomicForm form, Datatype type, AtomicOp op) {
        AtomicRequestImpl request = new AtomicRequestImpl(state, form, type, op);
        // refuses at once what the provider cannot do
        state.atomicSupport().limit(request.name(), form, type, op);
        return request;
    }

    @Override
    AtomicRequest self() {
        return this;
    }

    @Override
    int shift() {
        return shift;
    }

    @Override
    public AtomicRequestImpl comparands(MemorySegment... buffers) {
        if (form != AtomicForm.COMPARE) {
            throw new IllegalArgumentException(name() + ": the form " + form + " compares with nothing");
        }
        MemorySegment[] copy = usable(" comparands", buffers, false);
        fill(comparandTable, copy, () -> comparands = copy);
        return this;
    }

    @Override
    public AtomicRequestImpl results(MemorySegment... buffers) {
        if (form == AtomicForm.BASE) {
            throw new IllegalArgumentException(name() + ": the form " + form + " has no results");
        }
        MemorySegment[] copy = usable(" results", buffers, true);
        fill(resultTable, copy, () -> results = copy);
        return this;
    }

    private MemorySegment[] usable(String what, MemorySegment[] buffers, boolean written) {
        MemorySegment[] copy = Objects.requireNonNull(buffers, "buffers").clone();
        checkCount(what, copy.length);
        Segments.usable(name(), copy, written);
        return copy;
    }

    private void fill(BufferTable of, MemorySegment[] buffers, Runnable keep) {
        begin();
        try {
            of.clear();
            if (buffers.length > 0) {
                of.addFilled(buffers, shift);
            }
            keep.run();
            changed();
        } finally {
            end();
        }
    }

    @Override
    public AtomicRequestImpl target(RemoteRegion region, long offset, long length) {
        put(targets, true, region, address(region, offset, length), length);
        return this;
    }

    @Override
    public AtomicRequestImpl addTarget(RemoteRegion region, long offset, long length) {
        put(targets, false, region, address(region, offset, length), length);
        return this;
    }

    private long address(RemoteRegion region, long offset, long length) {
        return AtomicChecks.target(state, name(), form, type, op, length, region, offset);
    }

    @Override
    void check() {
        readsOnly = op == AtomicOp.ATOMIC_READ && form == AtomicForm.FETCH && segments().length == 0;
        long size = readsOnly ? Segments.size(name(), results) : byteSize();
        AtomicChecks.count(state, name(), form, type, op, size);
        if (!readsOnly) {
            whole(segments());
            AtomicChecks.aligned(name(), table.address(0), type);
        }
        whole(comparands);
        whole(results);
        if (targets.byteSize() != size) {
            throw new IllegalArgumentException(name() + ": the operand has " + size + " bytes, but the target "
                    + targets.byteSize());
        }
        if (form == AtomicForm.COMPARE) {
            AtomicChecks.same(name(), "comparand", Segments.size(name(), comparands), size);
        }
        if (form != AtomicForm.BASE) {
            AtomicChecks.same(name(), "result", Segments.size(name(), results), size);
        }
        keepTogether(super.kept());
    }

    private void keepTogether(Object operands) {
        if (together[0] != operands || together[1] != comparands || together[2] != results) {
            together = new Object[] {operands, comparands, results};
        }
    }

    /** Throws unless each buffer has whole elements, aligned. */
    private void whole(MemorySegment[] buffers) {
        if (buffers.length > 1 || buffers != segments()) {
            for (MemorySegment buffer : buffers) {
                AtomicChecks.whole(name(), buffer.byteSize(), type);
                AtomicChecks.aligned(name(), buffer.address(), type);
            }
        }
    }

    @Override
    void checkMore() {
        Segments.usable(name(), comparands, false);
        Segments.usable(name(), results, true);
    }

    @Override
    public Object kept() {
        return form == AtomicForm.BASE ? super.kept() : together;
    }

    private BufferTable operands() {
        return readsOnly ? resultTable : table;
    }

    @Override
    Object prepare(Object keep) {
        targets.lookUpKeys(state.domain());
        if (!state.describes()) {
            return keep;
        }
        LocalBuffers local = state.localBuffers();
        LocalBuffers.Extra extra = readsOnly ? null : local.describe(null, table, 0, shift, false);
        extra = local.describe(extra, comparandTable, 0, shift, false);
        return LocalBuffers.kept(local.describe(extra, resultTable, 0, shift, true), keep);
    }

    @Override
    boolean isStale(Object keep) {
        LocalBuffers local = state.localBuffers();
        return local.isStale(operands(), keep, shift) || local.isStale(comparandTable, keep, shift)
                || local.isStale(resultTable, keep, shift);
    }

    @Override
    void prepareLater(String name) {
        int buffers = operands().count();
        if (targets.count() != buffers && state.domain().quirks().has(Quirk.LATE_ATOMICS_LOSE_TARGETS)) {
            throw FabricException.of(name, Errno.EOPNOTSUPP, "the atomic has " + targets.count() + " targets and "
                    + buffers + " buffers, and provider " + state.info().provider() + " keeps as many of either when "
                    + "it starts later: give it as many targets as buffers, or post it without waiting for a counter");
        }
        targets.lookUpKeys(state.domain());
        super.prepareLater(name);
    }

    @Override
    void describeRegistered(String name) {
        if (state.describes()) {
            state.localBuffers().describeRegistered(name, operands(), shift, readsOnly);
            state.localBuffers().describeRegistered(name, comparandTable, shift, false);
            state.localBuffers().describeRegistered(name, resultTable, shift, true);
        }
    }

    @Override
    boolean goesAlone() {
        return form != AtomicForm.BASE || targets.count() > 1;
    }

    @Override
    boolean fitsVector() {
        return targets.count() == 1;
    }

    @Override
    long postVector(long fid, long token) {
        BufferTable operands = operands();
        long ioc = operands.entries().address();
        long desc = operands.descriptors().address();
        int t = (int) type.code();
        int o = (int) op.code();
        AtomicOps ops = state.atomicOps();
        return switch (form) {
            case FETCH -> ops.readwritev(fid, ioc, desc, operands.count(), resultTable.entries().address(),
                    resultTable.descriptors().address(), resultTable.count(), peer(), targets.address(), targets.key(),
                    t, o, token);
            case COMPARE -> ops.compwritev(fid, ioc, desc, operands.count(), comparandTable.entries().address(),
                    comparandTable.descriptors().address(), comparandTable.count(), resultTable.entries().address(),
                    resultTable.descriptors().address(), resultTable.count(), peer(), targets.address(),
                    targets.key(), t, o, token);
            default -> ops.writev(fid, ioc, desc, operands.count(), peer(), targets.address(), targets.key(), t, o,
                    token);
        };
    }

    @Override
    long postMessage(long fid, long token, long flags) {
        OperationStructs.atomic(struct, operands(), targets, peer(), (int) type.code(), (int) op.code(), token, data());
        long address = struct.address();
        AtomicOps ops = state.atomicOps();
        return switch (form) {
            case FETCH -> ops.readwritemsg(fid, address, resultTable.entries().address(),
                    resultTable.descriptors().address(), resultTable.count(), flags);
            case COMPARE -> ops.compwritemsg(fid, address, comparandTable.entries().address(),
                    comparandTable.descriptors().address(), comparandTable.count(), resultTable.entries().address(),
                    resultTable.descriptors().address(), resultTable.count(), flags);
            default -> ops.writemsg(fid, address, flags);
        };
    }

    @Override
    public int deferredType() {
        return switch (form) {
            case FETCH -> Libfabric.FI_OP_FETCH_ATOMIC();
            case COMPARE -> Libfabric.FI_OP_COMPARE_ATOMIC();
            default -> Libfabric.FI_OP_ATOMIC();
        };
    }

    @Override
    public MemorySegment deferred(Arena arena, long fid, long context, long flags) {
        MemorySegment ep = MemorySegment.ofAddress(fid);
        switch (form) {
            case FETCH -> {
                MemorySegment work = fi_op_fetch_atomic.allocate(arena);
                fi_op_fetch_atomic.ep(work, ep);
                describe(fi_op_fetch_atomic.msg(work), arena, context);
                fetch(fi_op_fetch_atomic.fetch(work), arena);
                fi_op_fetch_atomic.flags(work, flags);
                return work;
            }
            case COMPARE -> {
                MemorySegment work = fi_op_compare_atomic.allocate(arena);
                fi_op_compare_atomic.ep(work, ep);
                describe(fi_op_compare_atomic.msg(work), arena, context);
                fetch(fi_op_compare_atomic.fetch(work), arena);
                compare(fi_op_compare_atomic.compare(work), arena);
                fi_op_compare_atomic.flags(work, flags);
                return work;
            }
            default -> {
                MemorySegment work = fi_op_atomic.allocate(arena);
                fi_op_atomic.ep(work, ep);
                describe(fi_op_atomic.msg(work), arena, context);
                fi_op_atomic.flags(work, flags);
                return work;
            }
        }
    }

    private void describe(MemorySegment message, Arena arena, long context) {
        OperationStructs.atomic(message, operands().copy(arena), targets.copy(arena), peer(), (int) type.code(),
                (int) op.code(), context, data());
    }

    private void fetch(MemorySegment message, Arena arena) {
        BufferTable copy = resultTable.copy(arena);
        fi_msg_fetch.msg_iov(message, copy.entries());
        fi_msg_fetch.desc(message, copy.descriptors());
        fi_msg_fetch.iov_count(message, copy.count());
    }

    private void compare(MemorySegment message, Arena arena) {
        BufferTable copy = comparandTable.copy(arena);
        fi_msg_compare.msg_iov(message, copy.entries());
        fi_msg_compare.desc(message, copy.descriptors());
        fi_msg_compare.iov_count(message, copy.count());
    }
}
