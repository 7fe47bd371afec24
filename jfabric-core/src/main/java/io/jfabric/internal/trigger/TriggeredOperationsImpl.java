// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicTarget;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_compare;
import io.jfabric.bindings.fi_msg_fetch;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.info.Capability;
import io.jfabric.internal.endpoint.AtomicsImpl;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.AtomicOps;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.MsgOps;
import io.jfabric.internal.ffi.RmaOps;
import io.jfabric.internal.ffi.TaggedOps;
import io.jfabric.internal.post.ContextRegistry;
import io.jfabric.internal.post.Remote;
import io.jfabric.trigger.Trigger;
import io.jfabric.trigger.TriggeredOperations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/** {@link TriggeredOperations}. */
public final class TriggeredOperationsImpl implements TriggeredOperations {
    private static final long FLAGS = Libfabric.FI_TRIGGER();

    private final EndpointImpl endpoint;
    private final ContextRegistry contexts;

    /** Describes an operation; what it returns starts it. */
    @FunctionalInterface
    private interface Description {
        LongSupplier write(Arena arena, NativeOperation operation, long token);
    }

    public TriggeredOperationsImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
        this.contexts = endpoint.state().contexts();
    }

    @Override
    public boolean send(Trigger trigger, MemorySegment buffer, long destination, long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(destination);
        return queue("fi_sendmsg", triggerImpl, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg.allocate(arena);
            operation.message(msg, buffer, destination, 0, token);
            return () -> MsgOps.sendmsg(fid, msg.address(), transmitFlags());
        });
    }

    @Override
    public boolean receive(Trigger trigger, MemorySegment buffer, long source, long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleFrom(source);
        Buffers.writable("fi_recvmsg", buffer);
        return queue("fi_recvmsg", triggerImpl, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg.allocate(arena);
            operation.message(msg, buffer, source, 0, token);
            return () -> MsgOps.recvmsg(fid, msg.address(), FLAGS | endpoint.receiveFlags());
        });
    }

    @Override
    public boolean sendTagged(Trigger trigger, MemorySegment buffer, long destination, long tag, long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(destination);
        return queue("fi_tsendmsg", triggerImpl, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_tagged.allocate(arena);
            operation.tagged(msg, buffer, destination, tag, 0, token);
            return () -> TaggedOps.sendmsg(fid, msg.address(), transmitFlags());
        });
    }

    @Override
    public boolean receiveTagged(Trigger trigger, MemorySegment buffer, long source, long tag, long ignore,
            long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleFrom(source);
        Buffers.writable("fi_trecvmsg", buffer);
        return queue("fi_trecvmsg", triggerImpl, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_tagged.allocate(arena);
            operation.tagged(msg, buffer, source, tag, ignore, token);
            return () -> TaggedOps.recvmsg(fid, msg.address(), FLAGS | endpoint.receiveFlags());
        });
    }

    @Override
    public boolean read(Trigger trigger, MemorySegment buffer, long source, RemoteRegion region, long offset,
            long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(source);
        Buffers.writable("fi_readmsg", buffer);
        return queue("fi_readmsg", triggerImpl, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_rma.allocate(arena);
            operation.rma(msg, buffer, source, Remote.address(region, "fi_readmsg", offset, buffer.byteSize()),
                    endpoint.state().key(region), token);
            return () -> RmaOps.readmsg(fid, msg.address(), transmitFlags());
        });
    }

    @Override
    public boolean write(Trigger trigger, MemorySegment buffer, long destination, RemoteRegion region, long offset,
            long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(destination);
        Buffers.address("fi_writemsg", buffer);
        return queue("fi_writemsg", triggerImpl, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_rma.allocate(arena);
            operation.rma(msg, buffer, destination, Remote.address(region, "fi_writemsg", offset, buffer.byteSize()),
                    endpoint.state().key(region), token);
            return () -> RmaOps.writemsg(fid, msg.address(), transmitFlags());
        });
    }

    @Override
    public boolean apply(Trigger trigger, MemorySegment operand, AtomicTarget target, long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(target.destination());
        return queue("fi_atomicmsg", triggerImpl, context, operand, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_atomic.allocate(arena);
            operation.atomic(msg, AtomicForm.BASE, operand, target, token);
            return () -> AtomicOps.writemsg(fid, msg.address(), transmitFlags());
        });
    }

    @Override
    public boolean fetchAndApply(Trigger trigger, MemorySegment operand, MemorySegment result, AtomicTarget target,
            long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(target.destination());
        Buffers.writable("fi_fetch_atomicmsg", result);
        AtomicsImpl.same("fi_fetch_atomicmsg", "result", result.byteSize(), operand.byteSize());
        MemorySegment[] buffers = {operand, result};
        return queue("fi_fetch_atomicmsg", triggerImpl, context, buffers, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_atomic.allocate(arena);
            operation.atomic(msg, AtomicForm.FETCH, operand, target, token);
            MemorySegment fetch = fi_msg_fetch.allocate(arena);
            operation.fetch(fetch, result, target);
            return () -> AtomicOps.readwritemsg(fid, msg.address(), fi_msg_fetch.msg_iov(fetch).address(),
                    fi_msg_fetch.desc(fetch).address(), fi_msg_fetch.iov_count(fetch), transmitFlags());
        });
    }

    @Override
    public boolean compareAndApply(Trigger trigger, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, AtomicTarget target, long context) {
        TriggerImpl triggerImpl = (TriggerImpl) trigger;
        long fid = endpoint.handleTo(target.destination());
        Buffers.address("fi_compare_atomicmsg", comparand);
        Buffers.writable("fi_compare_atomicmsg", result);
        AtomicsImpl.same("fi_compare_atomicmsg", "comparand", comparand.byteSize(), operand.byteSize());
        AtomicsImpl.same("fi_compare_atomicmsg", "result", result.byteSize(), operand.byteSize());
        MemorySegment[] buffers = {operand, comparand, result};
        return queue("fi_compare_atomicmsg", triggerImpl, context, buffers, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_atomic.allocate(arena);
            operation.atomic(msg, AtomicForm.COMPARE, operand, target, token);
            MemorySegment fetch = fi_msg_fetch.allocate(arena);
            operation.fetch(fetch, result, target);
            MemorySegment compare = fi_msg_compare.allocate(arena);
            operation.compare(compare, comparand, target);
            return () -> AtomicOps.compwritemsg(fid, msg.address(), fi_msg_compare.msg_iov(compare).address(),
                    fi_msg_compare.desc(compare).address(), fi_msg_compare.iov_count(compare),
                    fi_msg_fetch.msg_iov(fetch).address(), fi_msg_fetch.desc(fetch).address(),
                    fi_msg_fetch.iov_count(fetch), transmitFlags());
        });
    }

    private long transmitFlags() {
        return FLAGS | endpoint.transmitFlags();
    }

    /** The trigger is used only once nothing but the provider can refuse. */
    private boolean queue(String operation, TriggerImpl trigger, long context, Object buffers,
            Description description) {
        if (!endpoint.info().capabilities().contains(Capability.TRIGGER)) {
            // providers that do not know the flag would start at once
            throw FabricException.of(operation, Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " was opened without FI_TRIGGER: ask for Capability.TRIGGER in the hints");
        }
        try (Arena arena = Arena.ofConfined()) {
            LongSupplier start = description.write(arena, new NativeOperation(arena, endpoint, operation),
                    trigger.address());
            trigger.use(contexts, context, buffers);
            return taken(operation, trigger, start.getAsLong());
        }
    }

    private boolean taken(String operation, TriggerImpl trigger, long result) {
        if (result == 0) {
            trigger.started(endpoint);
            return true;
        }
        trigger.unuse(contexts);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        throw FabricException.of(operation, result, "provider " + endpoint.info().provider());
    }
}
