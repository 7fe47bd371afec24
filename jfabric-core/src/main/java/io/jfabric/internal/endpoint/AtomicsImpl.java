// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicTarget;
import io.jfabric.Atomics;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.IoVector;
import io.jfabric.RemoteIoVector;
import io.jfabric.RemoteRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.AtomicOps;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.post.Holder;
import io.jfabric.internal.post.Remote;
import java.lang.foreign.MemorySegment;

/** {@link Atomics}. */
public final class AtomicsImpl implements Atomics {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final EndpointImpl endpoint;
    private final AtomicSupport support;
    private volatile Together last = new Together(null, null, null);

    /** Buffers of one operation that must all stay reachable. */
    private record Together(Object operand, Object comparand, Object result) implements Holder {
        @Override
        public Object buffers() {
            return new Object[] {operand, comparand, result};
        }
    }

    public AtomicsImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
        this.support = new AtomicSupport(endpoint);
    }

    @Override
    public long maxCount(AtomicForm form, Datatype type, AtomicOp op) {
        long limit = support.query(form, type, op);
        if (limit < 0 && limit != -Errno.ENOSYS) {
            throw FabricException.of("fi_atomicvalid", limit, "provider " + endpoint.info().provider());
        }
        return Math.max(0, limit);
    }

    @Override
    public boolean apply(MemorySegment operand, long destination, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_atomic", operand);
        long size = operand.byteSize();
        long remote = target("fi_atomic", AtomicForm.BASE, type, op, size, region, offset);
        aligned("fi_atomic", address, type);
        long key = endpoint.state().key(region);
        if (endpoint.describes()) {
            return call("fi_atomicv", AtomicForm.BASE, type, op).target(remote, size, key).operand(operand)
                    .run(destination, operand, context);
        }
        long token = endpoint.transmitToken(context, operand);
        long result = AtomicOps.write(fid, address, size >>> type.shift(), 0, destination, remote, key,
                (int) type.code(), (int) op.code(), token);
        return result == 0 || endpoint.refused("fi_atomic", result, token);
    }

    @Override
    public boolean apply(IoVector operands, long destination, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context) {
        return vector("fi_atomicv", AtomicForm.BASE, type, op, operands, operands.byteSize(), region, offset)
                .run(destination, operands, context);
    }

    @Override
    public boolean apply(IoVector operands, long destination, RemoteIoVector targets, Datatype type, AtomicOp op,
            long context, Flags<OperationFlag> flags) {
        return applyMessage(operands, destination, targets, type, op, 0, context, flags.bits());
    }

    @Override
    public boolean applyData(IoVector operands, long data, long destination, RemoteIoVector targets, Datatype type,
            AtomicOp op, long context, Flags<OperationFlag> flags) {
        return applyMessage(operands, destination, targets, type, op, data, context, flags.bits() | DATA);
    }

    private boolean applyMessage(IoVector operands, long destination, RemoteIoVector targets, Datatype type,
            AtomicOp op, long data, long context, long flags) {
        endpoint.rma().limits().checkFlags("fi_atomicmsg", operands.byteSize(), flags);
        return message("fi_atomicmsg", AtomicForm.BASE, type, op, operands, targets)
                .operand(operands).run(destination, operands, data, context, flags);
    }

    @Override
    public boolean inject(MemorySegment operand, long destination, RemoteRegion region, long offset, Datatype type,
            AtomicOp op) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject_atomic", operand);
        long size = operand.byteSize();
        endpoint.rma().limits().checkInject("fi_inject_atomic", size);
        long remote = target("fi_inject_atomic", AtomicForm.BASE, type, op, size, region, offset);
        aligned("fi_inject_atomic", address, type);
        long key = endpoint.state().key(region);
        long result = AtomicOps.inject(fid, address, size >>> type.shift(), destination, remote, key,
                (int) type.code(), (int) op.code());
        return result == 0 || endpoint.refused("fi_inject_atomic", result, 0);
    }

    @Override
    public boolean fetchAndApply(MemorySegment operand, MemorySegment result, long destination, RemoteRegion region,
            long offset, Datatype type, AtomicOp op, long context) {
        long fid = endpoint.handleToUnseen(destination);
        long into = Buffers.writable("fi_fetch_atomic", result);
        // a read has no operand, but providers count the elements of one
        MemorySegment from = operand == null && op == AtomicOp.ATOMIC_READ ? result : operand;
        long address = Buffers.address("fi_fetch_atomic", from);
        long size = from.byteSize();
        same("fi_fetch_atomic", "result", result.byteSize(), size);
        long remote = target("fi_fetch_atomic", AtomicForm.FETCH, type, op, size, region, offset);
        aligned("fi_fetch_atomic", address | into, type);
        long key = endpoint.state().key(region);
        Object keep = together(from, from, result);
        if (endpoint.describes() || endpoint.fetchesWithCare()) {
            return call("fi_fetch_atomicv", AtomicForm.FETCH, type, op).target(remote, size, key).operand(from)
                    .result(result).run(destination, keep, context);
        }
        long token = endpoint.transmitToken(context, keep);
        long outcome = AtomicOps.readwrite(fid, address, size >>> type.shift(), 0, into, 0, destination, remote, key,
                (int) type.code(), (int) op.code(), token);
        return outcome == 0 || endpoint.refused("fi_fetch_atomic", outcome, token);
    }

    @Override
    public boolean fetchAndApply(IoVector operands, IoVector results, long destination, RemoteRegion region,
            long offset, Datatype type, AtomicOp op, long context) {
        results.writable("fi_fetch_atomicv");
        IoVector from = operands == null && op == AtomicOp.ATOMIC_READ ? results : operands;
        same("fi_fetch_atomicv", "result", results.byteSize(), from.byteSize());
        buffers("fi_fetch_atomicv", results, type);
        return vector("fi_fetch_atomicv", AtomicForm.FETCH, type, op, from, from.byteSize(), region, offset)
                .result(results).run(destination, together(from, null, results), context);
    }

    @Override
    public boolean fetchAndApply(IoVector operands, IoVector results, long destination, RemoteIoVector targets,
            Datatype type, AtomicOp op, long context, Flags<OperationFlag> flags) {
        results.writable("fi_fetch_atomicmsg");
        buffers("fi_fetch_atomicmsg", results, type);
        IoVector from = operands == null && op == AtomicOp.ATOMIC_READ ? results : operands;
        return message("fi_fetch_atomicmsg", AtomicForm.FETCH, type, op, from, targets)
                .check("result", results.byteSize())
                .operand(from).result(results)
                .run(destination, together(from, null, results), 0, context, flags.bits());
    }

    @Override
    public boolean compareAndApply(MemorySegment operand, MemorySegment comparand, MemorySegment result,
            long destination, RemoteRegion region, long offset, Datatype type, AtomicOp op, long context) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_compare_atomic", operand);
        long compare = Buffers.address("fi_compare_atomic", comparand);
        long into = Buffers.writable("fi_compare_atomic", result);
        long size = operand.byteSize();
        same("fi_compare_atomic", "comparand", comparand.byteSize(), size);
        same("fi_compare_atomic", "result", result.byteSize(), size);
        long remote = target("fi_compare_atomic", AtomicForm.COMPARE, type, op, size, region, offset);
        aligned("fi_compare_atomic", address | compare | into, type);
        long key = endpoint.state().key(region);
        Object keep = together(operand, comparand, result);
        if (endpoint.describes() || endpoint.fetchesWithCare()) {
            return call("fi_compare_atomicv", AtomicForm.COMPARE, type, op).target(remote, size, key).operand(operand)
                    .comparand(comparand).result(result).run(destination, keep, context);
        }
        long token = endpoint.transmitToken(context, keep);
        long outcome = AtomicOps.compwrite(fid, address, size >>> type.shift(), 0, compare, 0, into, 0, destination,
                remote, key, (int) type.code(), (int) op.code(), token);
        return outcome == 0 || endpoint.refused("fi_compare_atomic", outcome, token);
    }

    @Override
    public boolean compareAndApply(IoVector operands, IoVector comparands, IoVector results, long destination,
            RemoteRegion region, long offset, Datatype type, AtomicOp op, long context) {
        comparands.address("fi_compare_atomicv");
        results.writable("fi_compare_atomicv");
        same("fi_compare_atomicv", "comparand", comparands.byteSize(), operands.byteSize());
        same("fi_compare_atomicv", "result", results.byteSize(), operands.byteSize());
        buffers("fi_compare_atomicv", comparands, type);
        buffers("fi_compare_atomicv", results, type);
        return vector("fi_compare_atomicv", AtomicForm.COMPARE, type, op, operands, operands.byteSize(), region,
                offset).comparand(comparands).result(results)
                .run(destination, together(operands, comparands, results), context);
    }

    @Override
    public boolean compareAndApply(IoVector operands, IoVector comparands, IoVector results, long destination,
            RemoteIoVector targets, Datatype type, AtomicOp op, long context, Flags<OperationFlag> flags) {
        comparands.address("fi_compare_atomicmsg");
        results.writable("fi_compare_atomicmsg");
        buffers("fi_compare_atomicmsg", comparands, type);
        buffers("fi_compare_atomicmsg", results, type);
        return message("fi_compare_atomicmsg", AtomicForm.COMPARE, type, op, operands, targets)
                .check("comparand", comparands.byteSize())
                .check("result", results.byteSize())
                .operand(operands).comparand(comparands).result(results)
                .run(destination, together(operands, comparands, results), 0, context, flags.bits());
    }

    private AtomicCall call(String operation, AtomicForm form, Datatype type, AtomicOp op) {
        return AtomicCall.of(endpoint, operation, form, type, op);
    }

    private AtomicCall vector(String operation, AtomicForm form, Datatype type, AtomicOp op, IoVector operands,
            long size, RemoteRegion region, long offset) {
        operands.address(operation);
        buffers(operation, operands, type);
        long remote = target(operation, form, type, op, size, region, offset);
        return call(operation, form, type, op).target(remote, size, endpoint.state().key(region)).operand(operands);
    }

    /** Everything but the buffers. */
    private AtomicCall message(String operation, AtomicForm form, Datatype type, AtomicOp op, IoVector operands,
            RemoteIoVector targets) {
        operands.address(operation);
        endpoint.rma().limits().checkRemote(operation, targets.count());
        count(operation, form, type, op, operands.byteSize());
        buffers(operation, operands, type);
        AtomicCall call = call(operation, form, type, op);
        for (int i = 0; i < targets.count(); i++) {
            RemoteRegion region = targets.region(i);
            long length = targets.length(i);
            call.target(target(operation, form, type, op, length, region, targets.offset(i)), length,
                    endpoint.state().key(region));
        }
        return call.check("operand", operands.byteSize());
    }

    /** Checks the target of an operation; returns what the provider takes for its address. */
    private long target(String operation, AtomicForm form, Datatype type, AtomicOp op, long size, RemoteRegion region,
            long offset) {
        count(operation, form, type, op, size);
        long remote = Remote.address(region, operation, offset, size);
        aligned(operation, remote, type);
        return remote;
    }

    /** Checks operand and target of an operation that starts later, as above. */
    public long target(String operation, AtomicForm form, MemorySegment operand, AtomicTarget target) {
        aligned(operation, Buffers.address(operation, operand), target.type());
        return target(operation, form, target.type(), target.operation(), operand.byteSize(), target.region(),
                target.offset());
    }

    private void count(String operation, AtomicForm form, Datatype type, AtomicOp op, long size) {
        long limit = support.limit(operation, form, type, op);
        long count = size >>> type.shift();
        if (count == 0 || count > limit || count << type.shift() != size) {
            throw new IllegalArgumentException(operation + ": " + size + " bytes are not 1 to " + limit
                    + " elements of " + type + ", which has " + type.byteSize());
        }
    }

    /** Checks that there are not too many buffers, and that each has whole elements. */
    private void buffers(String operation, IoVector buffers, Datatype type) {
        endpoint.rma().limits().checkLocal(operation, buffers.count());
        for (int i = 0; i < buffers.count(); i++) {
            MemorySegment buffer = buffers.segments().get(i);
            aligned(operation, buffer.address() | buffer.byteSize() & type.byteSize() - 1, type);
        }
    }

    public static void aligned(String operation, long address, Datatype type) {
        if ((address & type.alignmentMask()) != 0) {
            throw new IllegalArgumentException(operation + ": buffers and targets of " + type
                    + " must be at multiples of " + (type.alignmentMask() + 1) + " bytes");
        }
    }

    public static void same(String operation, String which, long size, long operandSize) {
        if (size != operandSize) {
            throw new IllegalArgumentException(operation + ": the " + which + " has " + size
                    + " bytes, but the operand " + operandSize);
        }
    }

    /** One object that keeps all buffers reachable; nothing is allocated for buffers of one arena. */
    private Object together(MemorySegment operand, MemorySegment comparand, MemorySegment result) {
        return operand.scope() == result.scope() && comparand.scope() == result.scope() ? result
                : together((Object) operand, comparand, result);
    }

    /** As above; nothing is allocated if the last operation had the same buffers. */
    private Object together(Object operand, Object comparand, Object result) {
        Together t = last;
        if (t.operand != operand || t.comparand != comparand || t.result != result) {
            t = new Together(operand, comparand, result);
            last = t;
        }
        return t;
    }
}
