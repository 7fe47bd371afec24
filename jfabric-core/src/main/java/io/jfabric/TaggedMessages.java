// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.TaggedOps;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives messages that match by tag (fi_tagged(3)). From {@link Endpoint#tagged()}.
 *
 * <p>A receive takes a message if their tags agree in every bit that is 0 in the receive's {@code ignore}. Everything
 * else is as with {@link Messages}: false means busy, buffers belong to the provider until the completion, errors are
 * the same.
 */
public final class TaggedMessages {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();
    private static final long PEEK = Libfabric.FI_PEEK();
    private static final long CLAIM = Libfabric.FI_CLAIM();
    private static final long DISCARD = Libfabric.FI_DISCARD();

    private final Endpoint endpoint;

    TaggedMessages(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Sends a buffer ({@code fi_tsend}).
     *
     * @param buffer the message
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Sends a part of a buffer ({@code fi_tsend}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Sends several buffers as one message ({@code fi_tsendv}).
     *
     * @param buffers the message
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Sends a buffer and immediate data, which the peer finds in its completion ({@code fi_tsenddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Sends several buffers with flags of the operation's own ({@code fi_tsendmsg}).
     *
     * @param buffers the message
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean send(IoVector buffers, long destination, long tag, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, tag, 0, context, flags.bits());
    }

    /**
     * Sends several buffers and immediate data with flags of the operation's own ({@code fi_tsendmsg}).
     *
     * @param buffers the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    public boolean sendData(IoVector buffers, long data, long destination, long tag, long context,
            Flags<OperationFlag> flags) {
        return sendMessage(buffers, destination, tag, data, context, flags.bits() | DATA);
    }

    private boolean sendMessage(IoVector buffers, long destination, long tag, long data, long context, long flags) {
        endpoint.handleTo(destination);
        buffers.address("fi_tsendmsg");
        return message("fi_tsendmsg", tag, 0).send(buffers, destination, data, context, flags);
    }

    /**
     * Sends a buffer with flags of the operation's own ({@code fi_tsendmsg}).
     *
     * @param buffer the message
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean send(MemorySegment buffer, long destination, long tag, long context, Flags<OperationFlag> flags) {
        return sendMessage(buffer, destination, tag, 0, context, flags.bits());
    }

    /**
     * Sends a buffer and immediate data with flags of the operation's own ({@code fi_tsendmsg}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
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

    /**
     * Sends a small buffer that may be used again at once ({@code fi_tinject}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
    public boolean inject(MemorySegment buffer, long destination, long tag) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination, tag);
    }

    /**
     * Sends a small part of a buffer that may be used again at once ({@code fi_tinject}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
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

    /**
     * Sends a small buffer, which may be used again at once, and immediate data ({@code fi_tinjectdata}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param destination the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
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

    /**
     * Posts a buffer for a message ({@code fi_trecv}).
     *
     * @param buffer takes the message
     * @param source the only peer to take it from, where the domain has the capability {@code DIRECTED_RECV}, and
     *     then in the address vector; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Posts a part of a buffer for a message ({@code fi_trecv}).
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Posts several buffers for one message ({@code fi_trecvv}).
     *
     * @param buffers take the message in order
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
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

    /**
     * Posts several buffers with flags of the operation's own ({@code fi_trecvmsg}).
     *
     * @param buffers take the message in order
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags; not PEEK, CLAIM or DISCARD, which have methods
     * @return false if the provider is busy
     */
    public boolean receive(IoVector buffers, long source, long tag, long ignore, long context,
            Flags<OperationFlag> flags) {
        endpoint.handleFrom(source);
        checkReceive(flags);
        buffers.writable("fi_trecvmsg");
        return message("fi_trecvmsg", tag, ignore).receive(buffers, source, context, flags.bits());
    }

    /**
     * Posts a buffer with flags of the operation's own ({@code fi_trecvmsg}).
     *
     * @param buffer takes the message
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags; not PEEK, CLAIM or DISCARD, which have methods
     * @return false if the provider is busy
     */
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

    /**
     * Looks whether a message has arrived ({@code FI_PEEK}). Completes with its length, tag and source, or with the
     * error {@code FI_ENOMSG}; the message stays where it is.
     *
     * @param source the peer; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean peek(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).peek(source, context, PEEK);
    }

    /**
     * Like {@link #peek}, and reserves the message found for {@link #claim} or {@link #discard}.
     *
     * @param source the peer; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion, and names the message afterwards
     * @return false if the provider is busy
     */
    public boolean peekAndClaim(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).peek(source, context, PEEK | CLAIM);
    }

    /**
     * Like {@link #peek}, and drops the message found ({@code FI_PEEK} with {@code FI_DISCARD}).
     *
     * @param source the peer; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean peekAndDiscard(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).peek(source, context, PEEK | DISCARD);
    }

    /**
     * Receives the message that {@link #peekAndClaim} reserved ({@code FI_CLAIM}).
     *
     * @param buffer takes the message
     * @param source as it was peeked for
     * @param tag as it was peeked for
     * @param ignore as it was peeked for
     * @param context as it was peeked for
     * @return false if the provider is busy
     * @throws IllegalStateException if no message is reserved under this context
     */
    public boolean claim(MemorySegment buffer, long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        Buffers.writable("fi_trecvmsg", buffer);
        return message("fi_trecvmsg", tag, ignore).claim(buffer, source, context, CLAIM);
    }

    /**
     * Drops the message that {@link #peekAndClaim} reserved ({@code FI_CLAIM} with {@code FI_DISCARD}).
     *
     * @param source as it was peeked for
     * @param tag as it was peeked for
     * @param ignore as it was peeked for
     * @param context as it was peeked for
     * @return false if the provider is busy
     * @throws IllegalStateException if no message is reserved under this context
     */
    public boolean discard(long source, long tag, long ignore, long context) {
        endpoint.handleFrom(source);
        return message("fi_trecvmsg", tag, ignore).claim(null, source, context, CLAIM | DISCARD);
    }

    private MessageCall message(String operation, long tag, long ignore) {
        return MessageCall.of(endpoint, operation).tagged(tag, ignore);
    }
}
