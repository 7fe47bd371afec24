// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.RmaOps;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;

/**
 * Reads and writes the memory of peers (fi_rma(3)). From {@link Endpoint#rma()}.
 *
 * <p>The peer takes no part: it has registered the memory and handed out a {@link RemoteRegion}. Offsets count from
 * the region's first byte, and no operation reaches outside it. The peer learns of a write only by remote data
 * ({@link #writeData}), by a counter, or by a message sent after it where the provider keeps that order
 * ({@code tx().messageOrder()}).
 *
 * <p>Every method returns true if the provider took the operation and false if it is busy ({@code -FI_EAGAIN}): poll
 * the completion queue, then call again. Buffers are native memory and belong to the provider until the completion
 * with the operation's context; none is copied. An injected buffer may be used again at once and there is no
 * completion. Connected endpoints ignore the address of the peer.
 *
 * <p>Errors: {@link FabricException} from the provider, {@link IndexOutOfBoundsException} for a range outside the
 * region or the buffer, {@link IllegalArgumentException} for unusable buffers, {@link IllegalStateException} after
 * closing. What the peer refuses comes as an error completion. Threads: see {@link Endpoint}.
 */
public final class Rma {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final Endpoint endpoint;
    private final TransferLimits limits;

    Rma(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.limits = new TransferLimits(endpoint.info());
    }

    TransferLimits limits() {
        return limits;
    }

    /**
     * Writes a buffer to a peer's memory ({@code fi_write}).
     *
     * @param buffer what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean write(MemorySegment buffer, long destination, RemoteRegion region, long offset, long context) {
        return write(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination, region, offset, context);
    }

    /**
     * Writes a part of a buffer to a peer's memory ({@code fi_write}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean write(MemorySegment buffer, long bufferOffset, long length, long destination, RemoteRegion region,
            long offset, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_write", buffer);
        Buffers.range("fi_write", buffer, bufferOffset, length);
        if (endpoint.describes()) {
            return call("fi_writemsg").remote(region, offset, length).local(buffer, bufferOffset, length)
                    .write(destination, 0, context, endpoint.transmitFlags());
        }
        long remote = region.address("fi_write", offset, length);
        long key = region.key(endpoint.domain());
        long token = endpoint.transmitToken(context, buffer);
        long result = RmaOps.write(fid, address + bufferOffset, length, 0, destination, remote, key, token);
        return result == 0 || endpoint.refused("fi_write", result, token);
    }

    /**
     * Writes several buffers, one after the other, to a peer's memory ({@code fi_writev}).
     *
     * @param buffers what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean write(IoVector buffers, long destination, RemoteRegion region, long offset, long context) {
        long fid = endpoint.handleTo(destination);
        long iov = buffers.address("fi_writev");
        if (endpoint.describes()) {
            return call("fi_writemsg").remote(region, offset, buffers.byteSize()).local(buffers)
                    .write(destination, 0, context, endpoint.transmitFlags());
        }
        limits.checkLocal("fi_writev", buffers.count());
        long remote = region.address("fi_writev", offset, buffers.byteSize());
        long key = region.key(endpoint.domain());
        long token = endpoint.transmitToken(context, buffers);
        long result = RmaOps.writev(fid, iov, 0, buffers.count(), destination, remote, key, token);
        return result == 0 || endpoint.refused("fi_writev", result, token);
    }

    /**
     * Writes a buffer to a peer's memory and tells the peer by immediate data, which comes as a completion with
     * {@link CompletionFlag#REMOTE_WRITE} once the memory is written ({@code fi_writedata}).
     *
     * @param buffer what to write
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean writeData(MemorySegment buffer, long data, long destination, RemoteRegion region, long offset,
            long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_writedata", buffer);
        long length = buffer.byteSize();
        if (endpoint.describes()) {
            return call("fi_writemsg").remote(region, offset, length).local(buffer, 0, length)
                    .write(destination, data, context, endpoint.transmitFlags() | DATA);
        }
        long remote = region.address("fi_writedata", offset, length);
        long key = region.key(endpoint.domain());
        long token = endpoint.transmitToken(context, buffer);
        long result = RmaOps.writedata(fid, address, length, 0, data, destination, remote, key, token);
        return result == 0 || endpoint.refused("fi_writedata", result, token);
    }

    /**
     * Writes a small buffer, which may be used again at once, to a peer's memory ({@code fi_inject_write}).
     *
     * @param buffer what to write, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    public boolean inject(MemorySegment buffer, long destination, RemoteRegion region, long offset) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination, region, offset);
    }

    /**
     * Writes a small part of a buffer, which may be used again at once, to a peer's memory
     * ({@code fi_inject_write}).
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    public boolean inject(MemorySegment buffer, long bufferOffset, long length, long destination, RemoteRegion region,
            long offset) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject_write", buffer);
        Buffers.range("fi_inject_write", buffer, bufferOffset, length);
        limits.checkInject("fi_inject_write", length);
        long remote = region.address("fi_inject_write", offset, length);
        long key = region.key(endpoint.domain());
        long result = RmaOps.inject(fid, address + bufferOffset, length, destination, remote, key);
        return result == 0 || endpoint.refused("fi_inject_write", result, 0);
    }

    /**
     * Writes a small buffer, which may be used again at once, to a peer's memory and tells the peer by immediate data
     * ({@code fi_inject_writedata}).
     *
     * @param buffer what to write, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    public boolean injectData(MemorySegment buffer, long data, long destination, RemoteRegion region, long offset) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject_writedata", buffer);
        long length = buffer.byteSize();
        limits.checkInject("fi_inject_writedata", length);
        long remote = region.address("fi_inject_writedata", offset, length);
        long key = region.key(endpoint.domain());
        long result = RmaOps.injectdata(fid, address, length, data, destination, remote, key);
        return result == 0 || endpoint.refused("fi_inject_writedata", result, 0);
    }

    /**
     * Writes several buffers to several ranges of a peer's memory, with flags of the operation's own
     * ({@code fi_writemsg}).
     *
     * @param buffers what to write
     * @param destination the peer
     * @param ranges where to write, together as long as the buffers
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean write(IoVector buffers, long destination, RemoteIoVector ranges, long context,
            Flags<OperationFlag> flags) {
        return writeMessage(buffers, destination, ranges, 0, context, flags.bits());
    }

    /**
     * As {@link #write(IoVector, long, RemoteIoVector, long, Flags)}, and tells the peer by immediate data.
     *
     * @param buffers what to write
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param ranges where to write, together as long as the buffers
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    public boolean writeData(IoVector buffers, long data, long destination, RemoteIoVector ranges, long context,
            Flags<OperationFlag> flags) {
        return writeMessage(buffers, destination, ranges, data, context, flags.bits() | DATA);
    }

    private boolean writeMessage(IoVector buffers, long destination, RemoteIoVector ranges, long data, long context,
            long flags) {
        endpoint.handleTo(destination);
        buffers.address("fi_writemsg");
        return call("fi_writemsg").remote(ranges).checkFlags(flags).local(buffers)
                .write(destination, data, context, flags);
    }

    /**
     * Writes a buffer to a peer's memory, with flags of the operation's own ({@code fi_writemsg}).
     *
     * @param buffer what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean write(MemorySegment buffer, long destination, RemoteRegion region, long offset, long context,
            Flags<OperationFlag> flags) {
        return writeMessage(buffer, destination, region, offset, 0, context, flags.bits());
    }

    /**
     * As {@link #write(MemorySegment, long, RemoteRegion, long, long, Flags)}, and tells the peer by immediate data.
     *
     * @param buffer what to write
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    public boolean writeData(MemorySegment buffer, long data, long destination, RemoteRegion region, long offset,
            long context, Flags<OperationFlag> flags) {
        return writeMessage(buffer, destination, region, offset, data, context, flags.bits() | DATA);
    }

    private boolean writeMessage(MemorySegment buffer, long destination, RemoteRegion region, long offset, long data,
            long context, long flags) {
        endpoint.handleTo(destination);
        Buffers.address("fi_writemsg", buffer);
        long length = buffer.byteSize();
        return call("fi_writemsg").remote(region, offset, length).checkFlags(flags).local(buffer, 0, length)
                .write(destination, data, context, flags);
    }

    /**
     * Reads a peer's memory into a buffer ({@code fi_read}).
     *
     * @param buffer takes as many bytes as it has
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean read(MemorySegment buffer, long source, RemoteRegion region, long offset, long context) {
        return read(buffer, 0, buffer == null ? 0 : buffer.byteSize(), source, region, offset, context);
    }

    /**
     * Reads a peer's memory into a part of a buffer ({@code fi_read}); unlike a slice, this allocates nothing.
     *
     * @param buffer takes the bytes
     * @param bufferOffset where in it, in bytes
     * @param length how many bytes to read
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean read(MemorySegment buffer, long bufferOffset, long length, long source, RemoteRegion region,
            long offset, long context) {
        long fid = endpoint.handleTo(source);
        long address = Buffers.writable("fi_read", buffer);
        Buffers.range("fi_read", buffer, bufferOffset, length);
        if (endpoint.describes()) {
            return call("fi_readmsg").remote(region, offset, length).local(buffer, bufferOffset, length)
                    .read(source, context, endpoint.transmitFlags());
        }
        long remote = region.address("fi_read", offset, length);
        long key = region.key(endpoint.domain());
        long token = endpoint.transmitToken(context, buffer);
        long result = RmaOps.read(fid, address + bufferOffset, length, 0, source, remote, key, token);
        return result == 0 || endpoint.refused("fi_read", result, token);
    }

    /**
     * Reads a peer's memory into several buffers, one after the other ({@code fi_readv}).
     *
     * @param buffers take as many bytes as they have
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean read(IoVector buffers, long source, RemoteRegion region, long offset, long context) {
        long fid = endpoint.handleTo(source);
        long iov = buffers.writable("fi_readv");
        if (endpoint.describes()) {
            return call("fi_readmsg").remote(region, offset, buffers.byteSize()).local(buffers)
                    .read(source, context, endpoint.transmitFlags());
        }
        limits.checkLocal("fi_readv", buffers.count());
        long remote = region.address("fi_readv", offset, buffers.byteSize());
        long key = region.key(endpoint.domain());
        long token = endpoint.transmitToken(context, buffers);
        long result = RmaOps.readv(fid, iov, 0, buffers.count(), source, remote, key, token);
        return result == 0 || endpoint.refused("fi_readv", result, token);
    }

    /**
     * Reads several ranges of a peer's memory into several buffers, with flags of the operation's own
     * ({@code fi_readmsg}).
     *
     * @param buffers take the bytes
     * @param source the peer
     * @param ranges what to read, together as long as the buffers
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean read(IoVector buffers, long source, RemoteIoVector ranges, long context,
            Flags<OperationFlag> flags) {
        endpoint.handleTo(source);
        buffers.writable("fi_readmsg");
        return call("fi_readmsg").remote(ranges).local(buffers).read(source, context, flags.bits());
    }

    /**
     * Reads a peer's memory into a buffer, with flags of the operation's own ({@code fi_readmsg}).
     *
     * @param buffer takes as many bytes as it has
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    public boolean read(MemorySegment buffer, long source, RemoteRegion region, long offset, long context,
            Flags<OperationFlag> flags) {
        endpoint.handleTo(source);
        Buffers.writable("fi_readmsg", buffer);
        long length = buffer.byteSize();
        return call("fi_readmsg").remote(region, offset, length).local(buffer, 0, length)
                .read(source, context, flags.bits());
    }

    private RmaCall call(String operation) {
        return RmaCall.of(endpoint, operation);
    }
}
