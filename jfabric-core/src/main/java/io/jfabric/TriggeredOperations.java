// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_compare;
import io.jfabric.bindings.fi_msg_fetch;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.ffi.AtomicOps;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.MsgOps;
import io.jfabric.ffi.RmaOps;
import io.jfabric.ffi.TaggedOps;
import io.jfabric.info.Capability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * Operations that start when a counter reaches a threshold ({@code FI_TRIGGER}, fi_trigger(3)). From
 * {@link Endpoint#triggered()}; ask for the capability {@code TRIGGER}. For operations on counters, and those
 * that report to a counter of their own, see {@link Domain#defer}.
 *
 * <p>Each method returns false where the provider is busy; the trigger can then be used again. Completions come as of
 * other operations, with the context. Buffers belong to the provider until then. Threads: see {@link Endpoint}.
 *
 * <p>Errors: {@link FabricException} from the provider and for atomic operations it lacks,
 * {@link IndexOutOfBoundsException} for a target outside the region, {@link IllegalArgumentException} for unusable
 * buffers, {@link IllegalStateException} for a trigger that was used already.
 */
public final class TriggeredOperations {
    private static final long FLAGS = Libfabric.FI_TRIGGER();

    private final Endpoint endpoint;
    private final ContextRegistry contexts;

    /** Describes an operation; what it returns starts it. */
    @FunctionalInterface
    private interface Description {
        LongSupplier write(Arena arena, NativeOperation operation, long token);
    }

    TriggeredOperations(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.contexts = endpoint.domain().contexts();
    }

    /**
     * Sends a buffer ({@code fi_sendmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer the message
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean send(Trigger trigger, MemorySegment buffer, long destination, long context) {
        long fid = endpoint.handleTo(destination);
        return queue("fi_sendmsg", trigger, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg.allocate(arena);
            operation.message(msg, buffer, destination, 0, token);
            return () -> MsgOps.sendmsg(fid, msg.address(), transmitFlags());
        });
    }

    /**
     * Posts a receive buffer ({@code fi_recvmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean receive(Trigger trigger, MemorySegment buffer, long source, long context) {
        long fid = endpoint.handleFrom(source);
        Buffers.writable("fi_recvmsg", buffer);
        return queue("fi_recvmsg", trigger, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg.allocate(arena);
            operation.message(msg, buffer, source, 0, token);
            return () -> MsgOps.recvmsg(fid, msg.address(), FLAGS | endpoint.receiveFlags());
        });
    }

    /**
     * Sends a tagged buffer ({@code fi_tsendmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer the message
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean sendTagged(Trigger trigger, MemorySegment buffer, long destination, long tag, long context) {
        long fid = endpoint.handleTo(destination);
        return queue("fi_tsendmsg", trigger, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_tagged.allocate(arena);
            operation.tagged(msg, buffer, destination, tag, 0, token);
            return () -> TaggedOps.sendmsg(fid, msg.address(), transmitFlags());
        });
    }

    /**
     * Posts a buffer for a tagged message ({@code fi_trecvmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @param tag the tag
     * @param ignore bits of the tag that do not matter
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean receiveTagged(Trigger trigger, MemorySegment buffer, long source, long tag, long ignore,
            long context) {
        long fid = endpoint.handleFrom(source);
        Buffers.writable("fi_trecvmsg", buffer);
        return queue("fi_trecvmsg", trigger, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_tagged.allocate(arena);
            operation.tagged(msg, buffer, source, tag, ignore, token);
            return () -> TaggedOps.recvmsg(fid, msg.address(), FLAGS | endpoint.receiveFlags());
        });
    }

    /**
     * Reads a peer's memory ({@code fi_readmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer takes as many bytes as it has
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean read(Trigger trigger, MemorySegment buffer, long source, RemoteRegion region, long offset,
            long context) {
        long fid = endpoint.handleTo(source);
        Buffers.writable("fi_readmsg", buffer);
        return queue("fi_readmsg", trigger, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_rma.allocate(arena);
            operation.rma(msg, buffer, source, region.address("fi_readmsg", offset, buffer.byteSize()),
                    region.key(endpoint.domain()), token);
            return () -> RmaOps.readmsg(fid, msg.address(), transmitFlags());
        });
    }

    /**
     * Writes to a peer's memory ({@code fi_writemsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean write(Trigger trigger, MemorySegment buffer, long destination, RemoteRegion region, long offset,
            long context) {
        long fid = endpoint.handleTo(destination);
        Buffers.address("fi_writemsg", buffer);
        return queue("fi_writemsg", trigger, context, buffer, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_rma.allocate(arena);
            operation.rma(msg, buffer, destination, region.address("fi_writemsg", offset, buffer.byteSize()),
                    region.key(endpoint.domain()), token);
            return () -> RmaOps.writemsg(fid, msg.address(), transmitFlags());
        });
    }

    /**
     * Applies operands to a peer's memory ({@code fi_atomicmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param operand the operands
     * @param target what to do, and where
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean apply(Trigger trigger, MemorySegment operand, AtomicTarget target, long context) {
        long fid = endpoint.handleTo(target.destination());
        return queue("fi_atomicmsg", trigger, context, operand, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_atomic.allocate(arena);
            operation.atomic(msg, AtomicForm.BASE, operand, target, token);
            return () -> AtomicOps.writemsg(fid, msg.address(), transmitFlags());
        });
    }

    /**
     * Applies operands to a peer's memory and returns what was there ({@code fi_fetch_atomicmsg} with
     * {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param operand the operands
     * @param result room for as many elements
     * @param target what to do, and where
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean fetchAndApply(Trigger trigger, MemorySegment operand, MemorySegment result, AtomicTarget target,
            long context) {
        long fid = endpoint.handleTo(target.destination());
        Buffers.writable("fi_fetch_atomicmsg", result);
        Atomics.same("fi_fetch_atomicmsg", "result", result.byteSize(), operand.byteSize());
        MemorySegment[] buffers = {operand, result};
        return queue("fi_fetch_atomicmsg", trigger, context, buffers, (arena, operation, token) -> {
            MemorySegment msg = fi_msg_atomic.allocate(arena);
            operation.atomic(msg, AtomicForm.FETCH, operand, target, token);
            MemorySegment fetch = fi_msg_fetch.allocate(arena);
            operation.fetch(fetch, result, target);
            return () -> AtomicOps.readwritemsg(fid, msg.address(), fi_msg_fetch.msg_iov(fetch).address(),
                    fi_msg_fetch.desc(fetch).address(), fi_msg_fetch.iov_count(fetch), transmitFlags());
        });
    }

    /**
     * Applies operands where a comparison holds, and returns what was there ({@code fi_compare_atomicmsg} with
     * {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param operand the operands
     * @param comparand what to compare with, as many elements
     * @param result room for as many elements
     * @param target what to do, and where
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean compareAndApply(Trigger trigger, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, AtomicTarget target, long context) {
        long fid = endpoint.handleTo(target.destination());
        Buffers.address("fi_compare_atomicmsg", comparand);
        Buffers.writable("fi_compare_atomicmsg", result);
        Atomics.same("fi_compare_atomicmsg", "comparand", comparand.byteSize(), operand.byteSize());
        Atomics.same("fi_compare_atomicmsg", "result", result.byteSize(), operand.byteSize());
        MemorySegment[] buffers = {operand, comparand, result};
        return queue("fi_compare_atomicmsg", trigger, context, buffers, (arena, operation, token) -> {
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
    private boolean queue(String operation, Trigger trigger, long context, Object buffers, Description description) {
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

    private boolean taken(String operation, Trigger trigger, long result) {
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
