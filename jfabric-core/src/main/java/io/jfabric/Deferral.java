// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_op_atomic;
import io.jfabric.bindings.fi_op_cntr;
import io.jfabric.bindings.fi_op_compare_atomic;
import io.jfabric.bindings.fi_op_fetch_atomic;
import io.jfabric.bindings.fi_op_msg;
import io.jfabric.bindings.fi_op_rma;
import io.jfabric.bindings.fi_op_tagged;
import io.jfabric.ffi.Buffers;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * When an operation is to start, and who learns of it: the condition of a {@link DeferredWork} (fi_trigger(3)). From
 * {@link Domain#defer}; each of the other methods queues one operation ({@code FI_QUEUE_WORK}) and can be called
 * again for the next.
 *
 * <p>Deferred operations report nothing to completion queues unless their flags have
 * {@link OperationFlag#COMPLETION}. Buffers belong to the provider until the operation is done. Not thread-safe.
 *
 * <p>Errors: {@link FabricException}, {@code FI_ENOSYS} where the provider has no deferred work.
 */
public final class Deferral {
    private final Domain domain;
    private final Counter counter;
    private final long threshold;
    private Counter completion;
    private long context;
    private long flags;

    Deferral(Domain domain, Counter counter, long threshold) {
        this.domain = domain;
        this.counter = Objects.requireNonNull(counter, "defer: the counter is null");
        this.threshold = threshold;
    }

    /**
     * Counts the operations when they are done.
     *
     * @param newCompletion the counter; null for none
     * @return this
     */
    public Deferral completionCounter(Counter newCompletion) {
        completion = newCompletion;
        return this;
    }

    /**
     * Reports the operations to the endpoint's completion queue ({@code FI_COMPLETION}). The sockets provider ignores
     * this: only its completion counter tells.
     *
     * @param newContext comes back in the completion
     * @return this
     */
    public Deferral context(long newContext) {
        context = newContext;
        flags |= Libfabric.FI_COMPLETION();
        return this;
    }

    /**
     * Sets the flags of the operations; does not reset what {@link #context} set.
     *
     * @param newFlags of fi_sendmsg(3) and its like
     * @return this
     */
    public Deferral flags(Flags<OperationFlag> newFlags) {
        flags = newFlags.bits() | flags & Libfabric.FI_COMPLETION();
        return this;
    }

    long flags() {
        return flags;
    }

    /**
     * Defers a send ({@code FI_OP_SEND}).
     *
     * @param endpoint who sends
     * @param buffer the message
     * @param destination the peer
     * @return the queued work
     */
    public DeferredWork send(Endpoint endpoint, MemorySegment buffer, long destination) {
        return message(Libfabric.FI_OP_SEND(), endpoint, buffer, destination);
    }

    /**
     * Defers a receive ({@code FI_OP_RECV}).
     *
     * @param endpoint who receives
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @return the queued work
     */
    public DeferredWork receive(Endpoint endpoint, MemorySegment buffer, long source) {
        Buffers.writable("FI_OP_RECV", buffer);
        return message(Libfabric.FI_OP_RECV(), endpoint, buffer, source);
    }

    private DeferredWork message(int type, Endpoint endpoint, MemorySegment buffer, long peer) {
        return queue(type, endpoint, buffer, work -> {
            MemorySegment op = fi_op_msg.allocate(work.arena());
            fi_op_msg.ep(op, type == Libfabric.FI_OP_SEND() ? pointer(endpoint, peer) : receiver(endpoint, peer));
            work.operation(endpoint).message(fi_op_msg.msg(op), buffer, peer, 0, work.address());
            fi_op_msg.flags(op, flags);
            return op;
        });
    }

    /**
     * Defers a tagged send ({@code FI_OP_TSEND}).
     *
     * @param endpoint who sends
     * @param buffer the message
     * @param destination the peer
     * @param tag the tag
     * @return the queued work
     */
    public DeferredWork sendTagged(Endpoint endpoint, MemorySegment buffer, long destination, long tag) {
        return tagged(Libfabric.FI_OP_TSEND(), endpoint, buffer, destination, tag, 0);
    }

    /**
     * Defers a tagged receive ({@code FI_OP_TRECV}).
     *
     * @param endpoint who receives
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @param tag the tag
     * @param ignore bits of the tag that do not matter
     * @return the queued work
     */
    public DeferredWork receiveTagged(Endpoint endpoint, MemorySegment buffer, long source, long tag, long ignore) {
        Buffers.writable("FI_OP_TRECV", buffer);
        return tagged(Libfabric.FI_OP_TRECV(), endpoint, buffer, source, tag, ignore);
    }

    private DeferredWork tagged(int type, Endpoint endpoint, MemorySegment buffer, long peer, long tag, long ignore) {
        return queue(type, endpoint, buffer, work -> {
            MemorySegment op = fi_op_tagged.allocate(work.arena());
            fi_op_tagged.ep(op, type == Libfabric.FI_OP_TSEND() ? pointer(endpoint, peer) : receiver(endpoint, peer));
            work.operation(endpoint).tagged(fi_op_tagged.msg(op), buffer, peer, tag, ignore, work.address());
            fi_op_tagged.flags(op, flags);
            return op;
        });
    }

    /**
     * Defers a read of a peer's memory ({@code FI_OP_READ}).
     *
     * @param endpoint who reads
     * @param buffer takes as many bytes as it has
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @return the queued work
     * @throws IndexOutOfBoundsException if that is not inside the region
     */
    public DeferredWork read(Endpoint endpoint, MemorySegment buffer, long source, RemoteRegion region, long offset) {
        Buffers.writable("FI_OP_READ", buffer);
        return rma(Libfabric.FI_OP_READ(), endpoint, buffer, source, region.address("FI_OP_READ", offset,
                buffer.byteSize()), region.key(domain));
    }

    /**
     * Defers a write to a peer's memory ({@code FI_OP_WRITE}).
     *
     * @param endpoint who writes
     * @param buffer what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return the queued work
     * @throws IndexOutOfBoundsException if that is not inside the region
     */
    public DeferredWork write(Endpoint endpoint, MemorySegment buffer, long destination, RemoteRegion region,
            long offset) {
        Buffers.address("FI_OP_WRITE", buffer);
        return rma(Libfabric.FI_OP_WRITE(), endpoint, buffer, destination, region.address("FI_OP_WRITE", offset,
                buffer.byteSize()), region.key(domain));
    }

    private DeferredWork rma(int type, Endpoint endpoint, MemorySegment buffer, long peer, long remoteAddress,
            long key) {
        return queue(type, endpoint, buffer, work -> {
            MemorySegment op = fi_op_rma.allocate(work.arena());
            fi_op_rma.ep(op, pointer(endpoint, peer));
            work.operation(endpoint).rma(fi_op_rma.msg(op), buffer, peer, remoteAddress, key, work.address());
            fi_op_rma.flags(op, flags);
            return op;
        });
    }

    /**
     * Defers an atomic operation ({@code FI_OP_ATOMIC}).
     *
     * @param endpoint who starts it
     * @param operand this side's elements
     * @param target what to do, and where
     * @return the queued work
     */
    public DeferredWork apply(Endpoint endpoint, MemorySegment operand, AtomicTarget target) {
        return queue(Libfabric.FI_OP_ATOMIC(), endpoint, operand, work -> {
            MemorySegment op = fi_op_atomic.allocate(work.arena());
            fi_op_atomic.ep(op, pointer(endpoint, target.destination()));
            work.operation(endpoint).atomic(fi_op_atomic.msg(op), AtomicForm.BASE, operand, target, work.address());
            fi_op_atomic.flags(op, flags);
            return op;
        });
    }

    /**
     * Defers an atomic operation that fetches what was there before ({@code FI_OP_FETCH_ATOMIC}).
     *
     * @param endpoint who starts it
     * @param operand this side's elements
     * @param result room for as many
     * @param target what to do, and where
     * @return the queued work
     */
    public DeferredWork fetchAndApply(Endpoint endpoint, MemorySegment operand, MemorySegment result,
            AtomicTarget target) {
        requireAs("FI_OP_FETCH_ATOMIC", operand, result);
        return queue(Libfabric.FI_OP_FETCH_ATOMIC(), endpoint, new MemorySegment[] {operand, result}, work -> {
            MemorySegment op = fi_op_fetch_atomic.allocate(work.arena());
            fi_op_fetch_atomic.ep(op, pointer(endpoint, target.destination()));
            NativeOperation operation = work.operation(endpoint);
            operation.atomic(fi_op_fetch_atomic.msg(op), AtomicForm.FETCH, operand, target, work.address());
            operation.fetch(fi_op_fetch_atomic.fetch(op), result, target);
            fi_op_fetch_atomic.flags(op, flags);
            return op;
        });
    }

    /**
     * Defers an atomic compare and swap ({@code FI_OP_COMPARE_ATOMIC}).
     *
     * @param endpoint who starts it
     * @param operand the new elements
     * @param comparand what to compare with, as many
     * @param result room for as many, for what was there before
     * @param target what to do, and where
     * @return the queued work
     */
    public DeferredWork compareAndApply(Endpoint endpoint, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, AtomicTarget target) {
        requireAs("FI_OP_COMPARE_ATOMIC", operand, result);
        Buffers.address("FI_OP_COMPARE_ATOMIC", comparand);
        if (comparand.byteSize() != operand.byteSize()) {
            throw new IllegalArgumentException("FI_OP_COMPARE_ATOMIC: operand and comparand differ in size");
        }
        MemorySegment[] buffers = {operand, comparand, result};
        return queue(Libfabric.FI_OP_COMPARE_ATOMIC(), endpoint, buffers, work -> {
            MemorySegment op = fi_op_compare_atomic.allocate(work.arena());
            fi_op_compare_atomic.ep(op, pointer(endpoint, target.destination()));
            NativeOperation operation = work.operation(endpoint);
            operation.atomic(fi_op_compare_atomic.msg(op), AtomicForm.COMPARE, operand, target, work.address());
            operation.fetch(fi_op_compare_atomic.fetch(op), result, target);
            operation.compare(fi_op_compare_atomic.compare(op), comparand, target);
            fi_op_compare_atomic.flags(op, flags);
            return op;
        });
    }

    private static void requireAs(String name, MemorySegment operand, MemorySegment result) {
        Buffers.address(name, operand);
        Buffers.writable(name, result);
        if (result.byteSize() != operand.byteSize()) {
            throw new IllegalArgumentException(name + ": operand and result differ in size");
        }
    }

    /**
     * Defers setting a counter ({@code FI_OP_CNTR_SET}).
     *
     * @param target the counter
     * @param value its new value
     * @return the queued work
     */
    public DeferredWork set(Counter target, long value) {
        return counter(Libfabric.FI_OP_CNTR_SET(), target, value);
    }

    /**
     * Defers adding to a counter ({@code FI_OP_CNTR_ADD}).
     *
     * @param target the counter
     * @param value what to add
     * @return the queued work
     */
    public DeferredWork add(Counter target, long value) {
        return counter(Libfabric.FI_OP_CNTR_ADD(), target, value);
    }

    private DeferredWork counter(int type, Counter target, long value) {
        if (completion != null) {
            throw new IllegalArgumentException("FI_QUEUE_WORK: operations on counters take no completion counter");
        }
        return queue(type, target, null, work -> {
            MemorySegment op = fi_op_cntr.allocate(work.arena());
            fi_op_cntr.cntr(op, pointer(target));
            fi_op_cntr.value(op, value);
            return op;
        });
    }

    private DeferredWork queue(int type, FabricObject actor, Object keep, DeferredWork.Writer writer) {
        DeferredWork work = new DeferredWork(domain, context, keep);
        boolean transfers = type != Libfabric.FI_OP_CNTR_SET() && type != Libfabric.FI_OP_CNTR_ADD();
        Counter whenDone = completion == null && transfers && domain.info().provider().contains("sockets")
                ? domain.unwatched() : completion;
        work.queue(type, counter, threshold, whenDone, actor, writer);
        return work;
    }

    private static MemorySegment pointer(Endpoint endpoint, long destination) {
        Objects.requireNonNull(endpoint, "FI_QUEUE_WORK: the endpoint is null");
        return MemorySegment.ofAddress(endpoint.handleTo(destination));
    }

    private static MemorySegment receiver(Endpoint endpoint, long source) {
        Objects.requireNonNull(endpoint, "FI_QUEUE_WORK: the endpoint is null");
        return MemorySegment.ofAddress(endpoint.handleFrom(source));
    }

    private static MemorySegment pointer(FabricObject object) {
        return MemorySegment.ofAddress(Objects.requireNonNull(object, "FI_QUEUE_WORK: an object is null").handle());
    }
}
