// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.MsgOps;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives messages that match in order of arrival (fi_msg(3)). From {@link Endpoint#messages()}.
 *
 * <p>Every method that starts an operation returns true if the provider took it and false if it is busy
 * ({@code -FI_EAGAIN}): poll the completion queue, then call again. Buffers are native memory and belong to the
 * provider until the completion with the operation's context; none is copied. An injected buffer may be used again
 * at once and there is no completion. Where an address is asked for, connected endpoints ignore it.
 *
 * <p>Errors: {@link FabricException} from the provider, {@link IllegalArgumentException} for heap or read-only
 * buffers, {@link IndexOutOfBoundsException} for a part that is not inside its buffer, {@link IllegalStateException}
 * after closing. Threads: see {@link Endpoint}.
 */
public final class Messages {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();
    private static final long MULTI = Libfabric.FI_MULTI_RECV();

    private final Endpoint endpoint;

    Messages(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Sends a buffer ({@code fi_send}).
     *
     * @param buffer the message
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean send(MemorySegment buffer, long destination, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_send", buffer);
        if (endpoint.prepared()) {
            return message("fi_sendmsg")
                    .send(buffer, 0, buffer.byteSize(), destination, 0, context, endpoint.transmitFlags());
        }
        long token = endpoint.transmitToken(context, buffer);
        long result = MsgOps.send(fid, address, buffer.byteSize(), 0, destination, token);
        return result == 0 || endpoint.refused("fi_send", result, token);
    }

    /**
     * Sends a part of a buffer ({@code fi_send}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean send(MemorySegment buffer, long offset, long length, long destination, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_send", buffer);
        Buffers.range("fi_send", buffer, offset, length);
        if (endpoint.prepared()) {
            return message("fi_sendmsg")
                    .send(buffer, offset, length, destination, 0, context, endpoint.transmitFlags());
        }
        long token = endpoint.transmitToken(context, buffer);
        long result = MsgOps.send(fid, address + offset, length, 0, destination, token);
        return result == 0 || endpoint.refused("fi_send", result, token);
    }

    /**
     * Sends several buffers as one message ({@code fi_sendv}).
     *
     * @param buffers the message
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean send(IoVector buffers, long destination, long context) {
        long fid = endpoint.handleTo(destination);
        long iov = buffers.address("fi_sendv");
        if (endpoint.prepared()) {
            return message("fi_sendmsg").send(buffers, destination, 0, context, endpoint.transmitFlags());
        }
        long token = endpoint.transmitToken(context, buffers);
        long result = MsgOps.sendv(fid, iov, 0, buffers.count(), destination, token);
        return result == 0 || endpoint.refused("fi_sendv", result, token);
    }

    /**
     * Sends a buffer and immediate data, which the peer finds in its completion ({@code fi_senddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean sendData(MemorySegment buffer, long data, long destination, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_senddata", buffer);
        if (endpoint.prepared()) {
            return message("fi_sendmsg")
                    .send(buffer, 0, buffer.byteSize(), destination, data, context, endpoint.transmitFlags() | DATA);
        }
        long token = endpoint.transmitToken(context, buffer);
        long result = MsgOps.senddata(fid, address, buffer.byteSize(), 0, data, destination, token);
        return result == 0 || endpoint.refused("fi_senddata", result, token);
    }

    /**
     * Sends several buffers with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffers the message
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean send(IoVector buffers, long destination, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, 0, context, flags.bits());
    }

    /**
     * Sends several buffers and immediate data with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffers the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    public boolean sendData(IoVector buffers, long data, long destination, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(IoVector buffers, long destination, long data, long context, long flags) {
        endpoint.handleTo(destination);
        buffers.address("fi_sendmsg");
        MulticastGroup.checkDestination(endpoint, destination, flags);
        return message("fi_sendmsg").send(buffers, destination, data, context, flags);
    }

    /**
     * Sends a buffer with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffer the message
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean send(MemorySegment buffer, long destination, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, 0, context, flags.bits());
    }

    /**
     * Sends a buffer and immediate data with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    public boolean sendData(MemorySegment buffer, long data, long destination, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(MemorySegment buffer, long destination, long data, long context, long flags) {
        endpoint.handleTo(destination);
        Buffers.address("fi_sendmsg", buffer);
        MulticastGroup.checkDestination(endpoint, destination, flags);
        return message("fi_sendmsg").send(buffer, 0, buffer.byteSize(), destination, data, context, flags);
    }

    /**
     * Sends a small buffer that may be used again at once ({@code fi_inject}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @return false if the provider is busy
     */
    public boolean inject(MemorySegment buffer, long destination) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination);
    }

    /**
     * Sends a small part of a buffer that may be used again at once ({@code fi_inject}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @return false if the provider is busy
     */
    public boolean inject(MemorySegment buffer, long offset, long length, long destination) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject", buffer);
        Buffers.range("fi_inject", buffer, offset, length);
        endpoint.rma().limits().checkInject("fi_inject", length);
        if (endpoint.prepared()) {
            LocalBuffers local = endpoint.localBuffers();
            return injected("fi_inject", MsgOps.inject(fid, local.prefixed(buffer, offset, length),
                    length + local.injectPrefix(), destination));
        }
        return injected("fi_inject", MsgOps.inject(fid, address + offset, length, destination));
    }

    /**
     * Sends a small buffer, which may be used again at once, and immediate data ({@code fi_injectdata}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param destination the peer
     * @return false if the provider is busy
     */
    public boolean injectData(MemorySegment buffer, long data, long destination) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_injectdata", buffer);
        endpoint.rma().limits().checkInject("fi_injectdata", buffer.byteSize());
        if (endpoint.prepared()) {
            LocalBuffers local = endpoint.localBuffers();
            return injected("fi_injectdata", MsgOps.injectdata(fid, local.prefixed(buffer, 0, buffer.byteSize()),
                    buffer.byteSize() + local.injectPrefix(), data, destination));
        }
        return injected("fi_injectdata", MsgOps.injectdata(fid, address, buffer.byteSize(), data, destination));
    }

    private boolean injected(String operation, long result) {
        return result == 0 || endpoint.refused(operation, result, 0);
    }

    /**
     * Posts a buffer for a message ({@code fi_recv}).
     *
     * @param buffer takes the message
     * @param source the only peer to take it from, where the domain has the capability {@code DIRECTED_RECV}, and
     *     then in the address vector; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean receive(MemorySegment buffer, long source, long context) {
        long fid = endpoint.handleFrom(source);
        long address = Buffers.writable("fi_recv", buffer);
        if (endpoint.prepared()) {
            return message("fi_recvmsg")
                    .receive(buffer, 0, buffer.byteSize(), source, context, endpoint.receiveFlags());
        }
        long token = endpoint.receiveToken(context, buffer, source);
        long result = MsgOps.recv(fid, address, buffer.byteSize(), 0, source, token);
        return result == 0 || endpoint.refused("fi_recv", result, token);
    }

    /**
     * Posts a part of a buffer for a message ({@code fi_recv}).
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean receive(MemorySegment buffer, long offset, long length, long source, long context) {
        long fid = endpoint.handleFrom(source);
        long address = Buffers.writable("fi_recv", buffer);
        Buffers.range("fi_recv", buffer, offset, length);
        if (endpoint.prepared()) {
            return message("fi_recvmsg").receive(buffer, offset, length, source, context, endpoint.receiveFlags());
        }
        long token = endpoint.receiveToken(context, buffer, source);
        long result = MsgOps.recv(fid, address + offset, length, 0, source, token);
        return result == 0 || endpoint.refused("fi_recv", result, token);
    }

    /**
     * Posts several buffers for one message ({@code fi_recvv}).
     *
     * @param buffers take the message in order
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean receive(IoVector buffers, long source, long context) {
        long fid = endpoint.handleFrom(source);
        long iov = buffers.writable("fi_recvv");
        if (endpoint.prepared()) {
            return message("fi_recvmsg").receive(buffers, source, context, endpoint.receiveFlags());
        }
        long token = endpoint.receiveToken(context, buffers, source);
        long result = MsgOps.recvv(fid, iov, 0, buffers.count(), source, token);
        return result == 0 || endpoint.refused("fi_recvv", result, token);
    }

    /**
     * Posts several buffers with flags of the operation's own ({@code fi_recvmsg}).
     *
     * @param buffers take the message in order
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean receive(IoVector buffers, long source, long context, Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        buffers.writable("fi_recvmsg");
        return message("fi_recvmsg").receive(buffers, source, context, flags.bits());
    }

    /**
     * Posts a buffer with flags of the operation's own ({@code fi_recvmsg}).
     *
     * @param buffer takes the message
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean receive(MemorySegment buffer, long source, long context, Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        Buffers.writable("fi_recvmsg", buffer);
        return message("fi_recvmsg").receive(buffer, 0, buffer.byteSize(), source, context, flags.bits());
    }

    /**
     * Posts a large buffer that takes one message after the other ({@code FI_MULTI_RECV}). Each message completes
     * with the same context; the one with {@link CompletionFlag#MULTI_RECV} is the buffer's last. The queue must
     * report at least {@link CompletionFormat#DATA} to tell where each message is.
     *
     * @param buffer takes the messages
     * @param source the only peer to take them from; {@link Address#ANY} for any
     * @param context comes back in each completion
     * @return false if the provider is busy
     */
    public boolean receiveMulti(MemorySegment buffer, long source, long context) {
        endpoint.handleFrom(source);
        Buffers.writable("fi_recvmsg", buffer);
        return message("fi_recvmsg")
                .receive(buffer, 0, buffer.byteSize(), source, context, endpoint.receiveFlags() | MULTI);
    }

    private MessageCall message(String operation) {
        return MessageCall.of(endpoint, operation);
    }
}
