// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.IoVector;
import io.jfabric.TaggedMessages;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.TaggedOps;
import io.jfabric.internal.post.LocalBuffers;
import java.lang.foreign.MemorySegment;

/** {@link TaggedMessages}. */
public final class TaggedMessagesImpl implements TaggedMessages {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();
    private static final long PEEK = Libfabric.FI_PEEK();
    private static final long CLAIM = Libfabric.FI_CLAIM();
    private static final long DISCARD = Libfabric.FI_DISCARD();

    private final EndpointImpl endpoint;

    public TaggedMessagesImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public boolean send(MemorySegment buffer, long destination, long tag, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_tsend", buffer);
        if (endpoint.prepared()) {
            return message("fi_tsendmsg", tag, 0)
                    .send(buffer, 0, buffer.byteSize(), destination, 0, context, endpoint.transmitFlags());
        }
        long token = endpoint.transmitToken(context, buffer);
        long result = TaggedOps.send(fid, address, buffer.byteSize(), 0, destination, tag, token);
        return result == 0 || endpoint.refused("fi_tsend", result, token);
    }

    @Override
    public boolean send(MemorySegment buffer, long offset, long length, long destination, long tag, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_tsend", buffer);
        Buffers.range("fi_tsend", buffer, offset, length);
        if (endpoint.prepared()) {
            return message("fi_tsendmsg", tag, 0)
                    .send(buffer, offset, length, destination, 0, context, endpoint.transmitFlags());
        }
        long token = endpoint.transmitToken(context, buffer);
        long result = TaggedOps.send(fid, address + offset, length, 0, destination, tag, token);
        return result == 0 || endpoint.refused("fi_tsend", result, token);
    }

    @Override
    public boolean send(IoVector buffers, long destination, long tag, long context) {
        long fid = endpoint.handleTo(destination);
        long iov = buffers.address("fi_tsendv");
        if (endpoint.prepared()) {
            return message("fi_tsendmsg", tag, 0).send(buffers, destination, 0, context, endpoint.transmitFlags());
        }
        long token = endpoint.transmitToken(context, buffers);
        long result = TaggedOps.sendv(fid, iov, 0, buffers.count(), destination, tag, token);
        return result == 0 || endpoint.refused("fi_tsendv", result, token);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long destination, long tag, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_tsenddata", buffer);
        if (endpoint.prepared()) {
            return message("fi_tsendmsg", tag, 0)
                    .send(buffer, 0, buffer.byteSize(), destination, data, context, endpoint.transmitFlags() | DATA);
        }
        long token = endpoint.transmitToken(context, buffer);
        long result = TaggedOps.senddata(fid, address, buffer.byteSize(), 0, data, destination, tag, token);
        return result == 0 || endpoint.refused("fi_tsenddata", result, token);
    }

    @Override
    public boolean send(IoVector buffers, long destination, long tag, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, tag, 0, context, flags.bits());
    }

    @Override
    public boolean sendData(IoVector buffers, long data, long destination, long tag, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, tag, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(IoVector buffers, long destination, long tag, long data, long context, long flags) {
        endpoint.handleTo(destination);
        buffers.address("fi_tsendmsg");
        return message("fi_tsendmsg", tag, 0).send(buffers, destination, data, context, flags);
    }

    @Override
    public boolean send(MemorySegment buffer, long destination, long tag, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, tag, 0, context, flags.bits());
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long destination, long tag, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, tag, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(MemorySegment buffer, long destination, long tag, long data, long context, long flags) {
        endpoint.handleTo(destination);
        Buffers.address("fi_tsendmsg", buffer);
        return message("fi_tsendmsg", tag, 0)
                .send(buffer, 0, buffer.byteSize(), destination, data, context, flags);
    }

    @Override
    public boolean inject(MemorySegment buffer, long destination, long tag) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination, tag);
    }

    @Override
    public boolean inject(MemorySegment buffer, long offset, long length, long destination, long tag) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_tinject", buffer);
        Buffers.range("fi_tinject", buffer, offset, length);
        endpoint.rma().limits().checkInject("fi_tinject", length);
        if (endpoint.prepared()) {
            LocalBuffers local = endpoint.localBuffers();
            return injected("fi_tinject", TaggedOps.inject(fid, local.prefixed(buffer, offset, length),
                    length + local.injectPrefix(), destination, tag));
        }
        return injected("fi_tinject", TaggedOps.inject(fid, address + offset, length, destination, tag));
    }

    @Override
    public boolean injectData(MemorySegment buffer, long data, long destination, long tag) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_tinjectdata", buffer);
        endpoint.rma().limits().checkInject("fi_tinjectdata", buffer.byteSize());
        if (endpoint.prepared()) {
            LocalBuffers local = endpoint.localBuffers();
            return injected("fi_tinjectdata", TaggedOps.injectdata(fid, local.prefixed(buffer, 0, buffer.byteSize()),
                    buffer.byteSize() + local.injectPrefix(), data, destination, tag));
        }
        return injected("fi_tinjectdata",
                TaggedOps.injectdata(fid, address, buffer.byteSize(), data, destination, tag));
    }

    private boolean injected(String operation, long result) {
        return result == 0 || endpoint.refused(operation, result, 0);
    }

    @Override
    public boolean receive(MemorySegment buffer, long source, long tag, long ignore, long context) {
        long fid = endpoint.handleFrom(source);
        long address = Buffers.writable("fi_trecv", buffer);
        if (endpoint.prepared()) {
            return message("fi_trecvmsg", tag, ignore)
                    .receive(buffer, 0, buffer.byteSize(), source, context, endpoint.receiveFlags());
        }
        long token = endpoint.receiveToken(context, buffer);
        long result = TaggedOps.recv(fid, address, buffer.byteSize(), 0, source, tag, ignore, token);
        return result == 0 || endpoint.refused("fi_trecv", result, token);
    }

    @Override
    public boolean receive(MemorySegment buffer, long offset, long length, long source, long tag, long ignore,
            long context) {
        long fid = endpoint.handleFrom(source);
        long address = Buffers.writable("fi_trecv", buffer);
        Buffers.range("fi_trecv", buffer, offset, length);
        if (endpoint.prepared()) {
            return message("fi_trecvmsg", tag, ignore)
                    .receive(buffer, offset, length, source, context, endpoint.receiveFlags());
        }
        long token = endpoint.receiveToken(context, buffer);
        long result = TaggedOps.recv(fid, address + offset, length, 0, source, tag, ignore, token);
        return result == 0 || endpoint.refused("fi_trecv", result, token);
    }

    @Override
    public boolean receive(IoVector buffers, long source, long tag, long ignore, long context) {
        long fid = endpoint.handleFrom(source);
        long iov = buffers.writable("fi_trecvv");
        if (endpoint.prepared()) {
            return message("fi_trecvmsg", tag, ignore).receive(buffers, source, context, endpoint.receiveFlags());
        }
        long token = endpoint.receiveToken(context, buffers);
        long result = TaggedOps.recvv(fid, iov, 0, buffers.count(), source, tag, ignore, token);
        return result == 0 || endpoint.refused("fi_trecvv", result, token);
    }

    @Override
    public boolean receive(IoVector buffers, long source, long tag, long ignore, long context,
            Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        checkReceive(flags);
        buffers.writable("fi_trecvmsg");
        return message("fi_trecvmsg", tag, ignore).receive(buffers, source, context, flags.bits());
    }

    @Override
    public boolean receive(MemorySegment buffer, long source, long tag, long ignore, long context,
            Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        checkReceive(flags);
        Buffers.writable("fi_trecvmsg", buffer);
        return message("fi_trecvmsg", tag, ignore)
                .receive(buffer, 0, buffer.byteSize(), source, context, flags.bits());
    }

    private static void checkReceive(Flags<OperationFlag> flags) {
        if ((flags.bits() & (PEEK | CLAIM | DISCARD)) != 0) {
            throw new IllegalArgumentException("fi_trecvmsg: for " + flags + " use peek, peekAndClaim, claim or "
                    + "discard");
        }
    }

    @Override
    public boolean peek(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).peek(source, context, PEEK);
    }

    @Override
    public boolean peekAndClaim(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).peek(source, context, PEEK | CLAIM);
    }

    @Override
    public boolean peekAndDiscard(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).peek(source, context, PEEK | DISCARD);
    }

    @Override
    public boolean claim(MemorySegment buffer, long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        Buffers.writable("fi_trecvmsg", buffer);
        return message("fi_trecvmsg", tag, ignore).claim(buffer, source, context, CLAIM);
    }

    @Override
    public boolean discard(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).claim(null, source, context, CLAIM | DISCARD);
    }

    private MessageCall message(String operation, long tag, long ignore) {
        return MessageCall.of(endpoint, operation).tagged(tag, ignore);
    }
}
