// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.IoVector;
import io.jfabric.Messages;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.MsgOps;
import io.jfabric.internal.post.LocalBuffers;
import java.lang.foreign.MemorySegment;

/** {@link Messages}. */
public final class MessagesImpl implements Messages {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();
    private static final long MULTI = Libfabric.FI_MULTI_RECV();

    private final EndpointImpl endpoint;

    public MessagesImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
    }

    @Override
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

    @Override
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

    @Override
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

    @Override
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

    @Override
    public boolean send(IoVector buffers, long destination, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, 0, context, flags.bits());
    }

    @Override
    public boolean sendData(IoVector buffers, long data, long destination, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(IoVector buffers, long destination, long data, long context, long flags) {
        endpoint.handleTo(destination);
        buffers.address("fi_sendmsg");
        MulticastGroupImpl.checkDestination(endpoint, destination, flags);
        return message("fi_sendmsg").send(buffers, destination, data, context, flags);
    }

    @Override
    public boolean send(MemorySegment buffer, long destination, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, 0, context, flags.bits());
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long destination, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(MemorySegment buffer, long destination, long data, long context, long flags) {
        endpoint.handleTo(destination);
        Buffers.address("fi_sendmsg", buffer);
        MulticastGroupImpl.checkDestination(endpoint, destination, flags);
        return message("fi_sendmsg").send(buffer, 0, buffer.byteSize(), destination, data, context, flags);
    }

    @Override
    public boolean inject(MemorySegment buffer, long destination) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination);
    }

    @Override
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

    @Override
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

    @Override
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

    @Override
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

    @Override
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

    @Override
    public boolean receive(IoVector buffers, long source, long context, Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        buffers.writable("fi_recvmsg");
        return message("fi_recvmsg").receive(buffers, source, context, flags.bits());
    }

    @Override
    public boolean receive(MemorySegment buffer, long source, long context, Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        Buffers.writable("fi_recvmsg", buffer);
        return message("fi_recvmsg").receive(buffer, 0, buffer.byteSize(), source, context, flags.bits());
    }

    @Override
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
