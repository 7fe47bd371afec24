// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.MsgOps;
import io.jfabric.ffi.TaggedOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Operations that start when a counter reaches a threshold ({@code FI_TRIGGER}, fi_trigger(3)). From
 * {@link Endpoint#triggered()}; ask for the capability {@code TRIGGER}. For remote memory, atomic operations and
 * counters see {@link Domain#defer}.
 *
 * <p>Each method returns false where the provider is busy; the trigger can then be used again. Completions come as of
 * other operations, with the context.
 */
public final class TriggeredOperations {
    private static final long FLAGS = Libfabric.FI_TRIGGER();

    private final Endpoint endpoint;
    private final ContextRegistry contexts;

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
        Buffers.address("fi_sendmsg", buffer);
        long token = trigger.use(contexts, context, buffer);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment msg = fi_msg.allocate(arena);
            new NativeOperation(arena, endpoint, "fi_sendmsg").message(msg, buffer, destination, 0, token);
            return taken("fi_sendmsg", trigger,
                    MsgOps.sendmsg(fid, msg.address(), FLAGS | endpoint.transmitFlags()));
        }
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
        long token = trigger.use(contexts, context, buffer);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment msg = fi_msg.allocate(arena);
            new NativeOperation(arena, endpoint, "fi_recvmsg").message(msg, buffer, source, 0, token);
            return taken("fi_recvmsg", trigger, MsgOps.recvmsg(fid, msg.address(), FLAGS | endpoint.receiveFlags()));
        }
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
        Buffers.address("fi_tsendmsg", buffer);
        long token = trigger.use(contexts, context, buffer);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment msg = fi_msg_tagged.allocate(arena);
            new NativeOperation(arena, endpoint, "fi_tsendmsg").tagged(msg, buffer, destination, tag, 0, token);
            return taken("fi_tsendmsg", trigger,
                    TaggedOps.sendmsg(fid, msg.address(), FLAGS | endpoint.transmitFlags()));
        }
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
        long token = trigger.use(contexts, context, buffer);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment msg = fi_msg_tagged.allocate(arena);
            new NativeOperation(arena, endpoint, "fi_trecvmsg").tagged(msg, buffer, source, tag, ignore, token);
            return taken("fi_trecvmsg", trigger,
                    TaggedOps.recvmsg(fid, msg.address(), FLAGS | endpoint.receiveFlags()));
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
