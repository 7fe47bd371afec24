// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.AtomicOps;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.Errno;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;

/**
 * Changes the memory of peers atomically (fi_atomic(3)). From {@link Endpoint#atomics()}.
 *
 * <p>An operation works on one or more elements of a {@link Datatype}, each by itself atomic with respect to other
 * atomic operations through the same provider; whether also to the CPU's is up to the provider. The number of
 * elements is the size of the buffers, which must all have it. Buffers and targets must be aligned for the type. What
 * a provider can do is {@link #maxCount}; what it cannot is refused here, before it crashes somebody.
 *
 * <p>Every method returns true if the provider took the operation and false if it is busy ({@code -FI_EAGAIN}): poll
 * the completion queue, then call again. Buffers are native memory and belong to the provider until the completion
 * with the operation's context; results are there when it comes. Connected endpoints ignore the address of the peer.
 *
 * <p>Errors: {@link FabricException} from the provider and for combinations it lacks ({@code FI_EOPNOTSUPP},
 * {@code FI_ENOSYS}), {@link IndexOutOfBoundsException} for a target outside the region,
 * {@link IllegalArgumentException} for unusable buffers, {@link IllegalStateException} after closing. Threads: see
 * {@link Endpoint}.
 */
public final class Atomics {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final Endpoint endpoint;
    private final AtomicSupport support;
    private volatile Together last = new Together(null, null, null);

    /** Buffers of one operation that must all stay reachable. */
    private record Together(Object operand, Object comparand, Object result) {
    }

    Atomics(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.support = new AtomicSupport(endpoint);
    }

    /**
     * How many elements one operation may have ({@code fi_atomicvalid}, {@code fi_fetch_atomicvalid},
     * {@code fi_compare_atomicvalid}). The endpoint must be enabled.
     *
     * @param form base, fetch or compare
     * @param type the type
     * @param op the operation
     * @return the number; 0 if the provider cannot do it
     */
    public long maxCount(AtomicForm form, Datatype type, AtomicOp op) {
        long limit = support.query(form, type, op);
        if (limit < 0 && limit != -Errno.ENOSYS) {
            throw FabricException.of("fi_atomicvalid", limit, "provider " + endpoint.info().provider());
        }
        return Math.max(0, limit);
    }

    /**
     * Applies operands to a peer's memory ({@code fi_atomic}).
     *
     * @param operand the operands
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean apply(MemorySegment operand, long destination, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_atomic", operand);
        long size = operand.byteSize();
        long remote = target("fi_atomic", AtomicForm.BASE, type, op, size, region, offset);
        aligned("fi_atomic", address, type);
        long key = region.key(endpoint.domain());
        if (endpoint.describes()) {
            return call("fi_atomicv", AtomicForm.BASE, type, op).target(remote, size, key).operand(operand)
                    .run(destination, operand, context);
        }
        long token = endpoint.transmitToken(context, operand);
        long result = AtomicOps.write(fid, address, size >>> type.shift(), 0, destination, remote, key,
                (int) type.code(), (int) op.code(), token);
        return result == 0 || endpoint.refused("fi_atomic", result, token);
    }

    /**
     * Applies the operands of several buffers, one after the other, to a peer's memory ({@code fi_atomicv}).
     *
     * @param operands the operands
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean apply(IoVector operands, long destination, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context) {
        return vector("fi_atomicv", AtomicForm.BASE, type, op, operands, operands.byteSize(), region, offset)
                .run(destination, operands, context);
    }

    /**
     * Applies operands to several targets, with flags of the operation's own ({@code fi_atomicmsg}).
     *
     * @param operands the operands
     * @param destination the peer
     * @param targets the targets, together as long as the operands
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean apply(IoVector operands, long destination, RemoteIoVector targets, Datatype type, AtomicOp op,
            long context, Flags<OperationFlag> flags) {
        return applyMessage(operands, destination, targets, type, op, 0, context, flags.bits());
    }

    /**
     * As {@link #apply(IoVector, long, RemoteIoVector, Datatype, AtomicOp, long, Flags)}, and tells the peer by
     * immediate data.
     *
     * @param operands the operands
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param targets the targets, together as long as the operands
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
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

    /**
     * Applies operands to a peer's memory; the buffer may be used again at once and there is no completion
     * ({@code fi_inject_atomic}).
     *
     * @param operand the operands, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @return false if the provider is busy
     */
    public boolean inject(MemorySegment operand, long destination, RemoteRegion region, long offset, Datatype type,
            AtomicOp op) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject_atomic", operand);
        long size = operand.byteSize();
        endpoint.rma().limits().checkInject("fi_inject_atomic", size);
        long remote = target("fi_inject_atomic", AtomicForm.BASE, type, op, size, region, offset);
        aligned("fi_inject_atomic", address, type);
        long key = region.key(endpoint.domain());
        long result = AtomicOps.inject(fid, address, size >>> type.shift(), destination, remote, key,
                (int) type.code(), (int) op.code());
        return result == 0 || endpoint.refused("fi_inject_atomic", result, 0);
    }

    /**
     * Applies operands to a peer's memory and fetches what was there before ({@code fi_fetch_atomic}).
     *
     * @param operand the operands; may be null for {@link AtomicOp#ATOMIC_READ}
     * @param result takes the previous values
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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
        long key = region.key(endpoint.domain());
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

    /**
     * Applies the operands of several buffers to a peer's memory and fetches what was there before into several
     * buffers ({@code fi_fetch_atomicv}).
     *
     * @param operands the operands; may be null for {@link AtomicOp#ATOMIC_READ}
     * @param results take the previous values
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean fetchAndApply(IoVector operands, IoVector results, long destination, RemoteRegion region,
            long offset, Datatype type, AtomicOp op, long context) {
        results.writable("fi_fetch_atomicv");
        IoVector from = operands == null && op == AtomicOp.ATOMIC_READ ? results : operands;
        same("fi_fetch_atomicv", "result", results.byteSize(), from.byteSize());
        buffers("fi_fetch_atomicv", results, type);
        return vector("fi_fetch_atomicv", AtomicForm.FETCH, type, op, from, from.byteSize(), region, offset)
                .result(results).run(destination, together(from, null, results), context);
    }

    /**
     * Applies operands to several targets and fetches what was there before, with flags of the operation's own
     * ({@code fi_fetch_atomicmsg}).
     *
     * @param operands the operands; may be null for {@link AtomicOp#ATOMIC_READ}
     * @param results take the previous values
     * @param destination the peer
     * @param targets the targets, together as long as the operands
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
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

    /**
     * Compares a peer's memory with comparands, replaces it by the operands where the comparison holds, and fetches
     * what was there before ({@code fi_compare_atomic}).
     *
     * @param operand the new values
     * @param comparand what to compare with, or for {@link AtomicOp#MSWAP} the bits to replace
     * @param result takes the previous values
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op which comparison
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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
        long key = region.key(endpoint.domain());
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

    /**
     * As {@link #compareAndApply(MemorySegment, MemorySegment, MemorySegment, long, RemoteRegion, long, Datatype,
     * AtomicOp, long)}, with several buffers each ({@code fi_compare_atomicv}).
     *
     * @param operands the new values
     * @param comparands what to compare with
     * @param results take the previous values
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op which comparison
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Compares and replaces several targets, with flags of the operation's own ({@code fi_compare_atomicmsg}).
     *
     * @param operands the new values
     * @param comparands what to compare with
     * @param results take the previous values
     * @param destination the peer
     * @param targets the targets, together as long as the operands
     * @param type type of the elements
     * @param op which comparison
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
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
        return call(operation, form, type, op).target(remote, size, region.key(endpoint.domain())).operand(operands);
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
                    region.key(endpoint.domain()));
        }
        return call.check("operand", operands.byteSize());
    }

    /** Checks the target of an operation; returns what the provider takes for its address. */
    private long target(String operation, AtomicForm form, Datatype type, AtomicOp op, long size, RemoteRegion region,
            long offset) {
        count(operation, form, type, op, size);
        long remote = region.address(operation, offset, size);
        aligned(operation, remote, type);
        return remote;
    }

    /** Checks operand and target of an operation that starts later, as above. */
    long target(String operation, AtomicForm form, MemorySegment operand, AtomicTarget target) {
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

    static void aligned(String operation, long address, Datatype type) {
        if ((address & type.alignmentMask()) != 0) {
            throw new IllegalArgumentException(operation + ": buffers and targets of " + type
                    + " must be at multiples of " + (type.alignmentMask() + 1) + " bytes");
        }
    }

    static void same(String operation, String which, long size, long operandSize) {
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
