// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicTarget;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.RemoteRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_op_atomic;
import io.jfabric.bindings.fi_op_cntr;
import io.jfabric.bindings.fi_op_compare_atomic;
import io.jfabric.bindings.fi_op_fetch_atomic;
import io.jfabric.bindings.fi_op_msg;
import io.jfabric.bindings.fi_op_rma;
import io.jfabric.bindings.fi_op_tagged;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.FidOps;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.Remote;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.trigger.Deferral;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** {@link Deferral}. */
public final class DeferralImpl implements Deferral {
    private final DomainState domain;
    private final CounterImpl counter;
    private final long threshold;
    private CounterImpl completion;
    private long context;
    private long flags;

    public DeferralImpl(DomainState domain, CounterImpl counter, long threshold) {
        this.domain = domain;
        this.counter = Objects.requireNonNull(counter, "Deferral: the counter is null");
        this.threshold = threshold;
    }

    @Override
    public DeferralImpl completionCounter(Counter newCompletion) {
        CounterImpl newCompletionImpl = (CounterImpl) newCompletion;
        completion = newCompletionImpl;
        return this;
    }

    @Override
    public DeferralImpl context(long newContext) {
        context = newContext;
        flags |= Libfabric.FI_COMPLETION();
        return this;
    }

    @Override
    public DeferralImpl flags(Flags<OperationFlag> newFlags) {
        flags = newFlags.bits() | flags & Libfabric.FI_COMPLETION();
        return this;
    }

    public long flags() {
        return flags;
    }

    @Override
    public DeferredWorkImpl send(Endpoint endpoint, MemorySegment buffer, long destination) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        return message(Libfabric.FI_OP_SEND(), endpointImpl, buffer, destination);
    }

    @Override
    public DeferredWorkImpl receive(Endpoint endpoint, MemorySegment buffer, long source) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        Buffers.writable("FI_OP_RECV", buffer);
        return message(Libfabric.FI_OP_RECV(), endpointImpl, buffer, source);
    }

    private DeferredWorkImpl message(int type, EndpointImpl endpoint, MemorySegment buffer, long peer) {
        return queue(type, endpoint, buffer, work -> {
            MemorySegment op = fi_op_msg.allocate(work.arena());
            fi_op_msg.ep(op, type == Libfabric.FI_OP_SEND() ? pointer(endpoint, peer) : receiver(endpoint, peer));
            work.operation(endpoint).message(fi_op_msg.msg(op), buffer, peer, 0, work.address());
            fi_op_msg.flags(op, flags);
            return op;
        });
    }

    @Override
    public DeferredWorkImpl sendTagged(Endpoint endpoint, MemorySegment buffer, long destination, long tag) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        return tagged(Libfabric.FI_OP_TSEND(), endpointImpl, buffer, destination, tag, 0);
    }

    @Override
    public DeferredWorkImpl receiveTagged(Endpoint endpoint, MemorySegment buffer, long source, long tag, long ignore) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        Buffers.writable("FI_OP_TRECV", buffer);
        return tagged(Libfabric.FI_OP_TRECV(), endpointImpl, buffer, source, tag, ignore);
    }

    private DeferredWorkImpl tagged(int type, EndpointImpl endpoint, MemorySegment buffer, long peer, long tag, long ignore) {
        return queue(type, endpoint, buffer, work -> {
            MemorySegment op = fi_op_tagged.allocate(work.arena());
            fi_op_tagged.ep(op, type == Libfabric.FI_OP_TSEND() ? pointer(endpoint, peer) : receiver(endpoint, peer));
            work.operation(endpoint).tagged(fi_op_tagged.msg(op), buffer, peer, tag, ignore, work.address());
            fi_op_tagged.flags(op, flags);
            return op;
        });
    }

    @Override
    public DeferredWorkImpl read(Endpoint endpoint, MemorySegment buffer, long source, RemoteRegion region, long offset) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        Buffers.writable("FI_OP_READ", buffer);
        return rma(Libfabric.FI_OP_READ(), endpointImpl, buffer, source, Remote.address(region, "FI_OP_READ", offset,
                buffer.byteSize()), domain.key(region));
    }

    @Override
    public DeferredWorkImpl write(Endpoint endpoint, MemorySegment buffer, long destination, RemoteRegion region,
            long offset) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        Buffers.address("FI_OP_WRITE", buffer);
        return rma(Libfabric.FI_OP_WRITE(), endpointImpl, buffer, destination, Remote.address(region, "FI_OP_WRITE", offset,
                buffer.byteSize()), domain.key(region));
    }

    private DeferredWorkImpl rma(int type, EndpointImpl endpoint, MemorySegment buffer, long peer, long remoteAddress,
            long key) {
        return queue(type, endpoint, buffer, work -> {
            MemorySegment op = fi_op_rma.allocate(work.arena());
            fi_op_rma.ep(op, pointer(endpoint, peer));
            work.operation(endpoint).rma(fi_op_rma.msg(op), buffer, peer, remoteAddress, key, work.address());
            fi_op_rma.flags(op, flags);
            return op;
        });
    }

    @Override
    public DeferredWorkImpl apply(Endpoint endpoint, MemorySegment operand, AtomicTarget target) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        return queue(Libfabric.FI_OP_ATOMIC(), endpointImpl, operand, work -> {
            MemorySegment op = fi_op_atomic.allocate(work.arena());
            fi_op_atomic.ep(op, pointer(endpointImpl, target.destination()));
            work.operation(endpointImpl).atomic(fi_op_atomic.msg(op), AtomicForm.BASE, operand, target, work.address());
            fi_op_atomic.flags(op, flags);
            return op;
        });
    }

    @Override
    public DeferredWorkImpl fetchAndApply(Endpoint endpoint, MemorySegment operand, MemorySegment result,
            AtomicTarget target) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        requireAs("FI_OP_FETCH_ATOMIC", operand, result);
        return queue(Libfabric.FI_OP_FETCH_ATOMIC(), endpointImpl, new MemorySegment[] {operand, result}, work -> {
            MemorySegment op = fi_op_fetch_atomic.allocate(work.arena());
            fi_op_fetch_atomic.ep(op, pointer(endpointImpl, target.destination()));
            NativeOperation operation = work.operation(endpointImpl);
            operation.atomic(fi_op_fetch_atomic.msg(op), AtomicForm.FETCH, operand, target, work.address());
            operation.fetch(fi_op_fetch_atomic.fetch(op), result, target);
            fi_op_fetch_atomic.flags(op, flags);
            return op;
        });
    }

    @Override
    public DeferredWorkImpl compareAndApply(Endpoint endpoint, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, AtomicTarget target) {
        EndpointImpl endpointImpl = (EndpointImpl) endpoint;
        requireAs("FI_OP_COMPARE_ATOMIC", operand, result);
        Buffers.address("FI_OP_COMPARE_ATOMIC", comparand);
        if (comparand.byteSize() != operand.byteSize()) {
            throw new IllegalArgumentException("FI_OP_COMPARE_ATOMIC: operand and comparand differ in size");
        }
        MemorySegment[] buffers = {operand, comparand, result};
        return queue(Libfabric.FI_OP_COMPARE_ATOMIC(), endpointImpl, buffers, work -> {
            MemorySegment op = fi_op_compare_atomic.allocate(work.arena());
            fi_op_compare_atomic.ep(op, pointer(endpointImpl, target.destination()));
            NativeOperation operation = work.operation(endpointImpl);
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

    @Override
    public DeferredWorkImpl set(Counter target, long value) {
        CounterImpl targetImpl = (CounterImpl) target;
        return counter(Libfabric.FI_OP_CNTR_SET(), targetImpl, value);
    }

    @Override
    public DeferredWorkImpl add(Counter target, long value) {
        CounterImpl targetImpl = (CounterImpl) target;
        return counter(Libfabric.FI_OP_CNTR_ADD(), targetImpl, value);
    }

    private DeferredWorkImpl counter(int type, CounterImpl target, long value) {
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

    /** {@link Deferral#flush(Domain, Counter)} */
    public static void flush(DomainState domain, CounterImpl counter) {
        FidObject.check("fi_control(FI_FLUSH_WORK)", FidOps.control(domain.handle(), Libfabric.FI_FLUSH_WORK(),
                counter == null ? 0 : counter.handle()), "provider " + domain.info().provider());
    }

    private DeferredWorkImpl queue(int type, FidObject actor, Object keep, DeferredWorkImpl.Writer writer) {
        DeferredWorkImpl work = new DeferredWorkImpl(domain, context, keep);
        boolean transfers = type != Libfabric.FI_OP_CNTR_SET() && type != Libfabric.FI_OP_CNTR_ADD();
        CounterImpl whenDone = completion == null && transfers && domain.quirks().has(Quirk.DEFERRED_NEEDS_COUNTER)
                ? (CounterImpl) domain.unwatched(() -> CounterImpl.open(domain,
                        CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE), null)) : completion;
        work.queue(type, counter, threshold, whenDone, actor, writer);
        return work;
    }

    private static MemorySegment pointer(EndpointImpl endpoint, long destination) {
        Objects.requireNonNull(endpoint, "FI_QUEUE_WORK: the endpoint is null");
        return MemorySegment.ofAddress(endpoint.handleTo(destination));
    }

    private static MemorySegment receiver(EndpointImpl endpoint, long source) {
        Objects.requireNonNull(endpoint, "FI_QUEUE_WORK: the endpoint is null");
        return MemorySegment.ofAddress(endpoint.handleFrom(source));
    }

    private static MemorySegment pointer(FidObject object) {
        return MemorySegment.ofAddress(Objects.requireNonNull(object, "FI_QUEUE_WORK: an object is null").handle());
    }
}
