// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.IoVector;
import io.jfabric.RemoteIoVector;
import io.jfabric.RemoteRegion;
import io.jfabric.Rma;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.RmaOps;
import io.jfabric.internal.post.Remote;
import io.jfabric.internal.post.TransferLimits;
import java.lang.foreign.MemorySegment;

/** {@link Rma}. */
public final class RmaImpl implements Rma {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final EndpointImpl endpoint;
    private final TransferLimits limits;

    public RmaImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
        this.limits = new TransferLimits(endpoint.info());
    }

    public TransferLimits limits() {
        return limits;
    }

    @Override
    public boolean write(MemorySegment buffer, long destination, RemoteRegion region, long offset, long context) {
        return write(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination, region, offset, context);
    }

    @Override
    public boolean write(MemorySegment buffer, long bufferOffset, long length, long destination, RemoteRegion region,
            long offset, long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_write", buffer);
        Buffers.range("fi_write", buffer, bufferOffset, length);
        if (endpoint.describes()) {
            return call("fi_writemsg").remote(region, offset, length).local(buffer, bufferOffset, length)
                    .write(destination, 0, context, endpoint.transmitFlags());
        }
        long remote = Remote.address(region, "fi_write", offset, length);
        long key = endpoint.state().key(region);
        long token = endpoint.transmitToken(context, buffer);
        long result = RmaOps.write(fid, address + bufferOffset, length, 0, destination, remote, key, token);
        return result == 0 || endpoint.refused("fi_write", result, token);
    }

    @Override
    public boolean write(IoVector buffers, long destination, RemoteRegion region, long offset, long context) {
        long fid = endpoint.handleTo(destination);
        long iov = buffers.address("fi_writev");
        if (endpoint.describes()) {
            return call("fi_writemsg").remote(region, offset, buffers.byteSize()).local(buffers)
                    .write(destination, 0, context, endpoint.transmitFlags());
        }
        limits.checkLocal("fi_writev", buffers.count());
        long remote = Remote.address(region, "fi_writev", offset, buffers.byteSize());
        long key = endpoint.state().key(region);
        long token = endpoint.transmitToken(context, buffers);
        long result = RmaOps.writev(fid, iov, 0, buffers.count(), destination, remote, key, token);
        return result == 0 || endpoint.refused("fi_writev", result, token);
    }

    @Override
    public boolean writeData(MemorySegment buffer, long data, long destination, RemoteRegion region, long offset,
            long context) {
        long fid = endpoint.handleTo(destination);
        long address = Buffers.address("fi_writedata", buffer);
        long length = buffer.byteSize();
        if (endpoint.describes()) {
            return call("fi_writemsg").remote(region, offset, length).local(buffer, 0, length)
                    .write(destination, data, context, endpoint.transmitFlags() | DATA);
        }
        long remote = Remote.address(region, "fi_writedata", offset, length);
        long key = endpoint.state().key(region);
        long token = endpoint.transmitToken(context, buffer);
        long result = RmaOps.writedata(fid, address, length, 0, data, destination, remote, key, token);
        return result == 0 || endpoint.refused("fi_writedata", result, token);
    }

    @Override
    public boolean inject(MemorySegment buffer, long destination, RemoteRegion region, long offset) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), destination, region, offset);
    }

    @Override
    public boolean inject(MemorySegment buffer, long bufferOffset, long length, long destination, RemoteRegion region,
            long offset) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject_write", buffer);
        Buffers.range("fi_inject_write", buffer, bufferOffset, length);
        limits.checkInject("fi_inject_write", length);
        long remote = Remote.address(region, "fi_inject_write", offset, length);
        long key = endpoint.state().key(region);
        long result = RmaOps.inject(fid, address + bufferOffset, length, destination, remote, key);
        return result == 0 || endpoint.refused("fi_inject_write", result, 0);
    }

    @Override
    public boolean injectData(MemorySegment buffer, long data, long destination, RemoteRegion region, long offset) {
        long fid = endpoint.handleToUnseen(destination);
        long address = Buffers.address("fi_inject_writedata", buffer);
        long length = buffer.byteSize();
        limits.checkInject("fi_inject_writedata", length);
        long remote = Remote.address(region, "fi_inject_writedata", offset, length);
        long key = endpoint.state().key(region);
        long result = RmaOps.injectdata(fid, address, length, data, destination, remote, key);
        return result == 0 || endpoint.refused("fi_inject_writedata", result, 0);
    }

    @Override
    public boolean write(IoVector buffers, long destination, RemoteIoVector ranges, long context,
            Flags<OperationFlag> flags) {
        return writeMessage(buffers, destination, ranges, 0, context, flags.bits());
    }

    @Override
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

    @Override
    public boolean write(MemorySegment buffer, long destination, RemoteRegion region, long offset, long context,
            Flags<OperationFlag> flags) {
        return writeMessage(buffer, destination, region, offset, 0, context, flags.bits());
    }

    @Override
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

    @Override
    public boolean read(MemorySegment buffer, long source, RemoteRegion region, long offset, long context) {
        return read(buffer, 0, buffer == null ? 0 : buffer.byteSize(), source, region, offset, context);
    }

    @Override
    public boolean read(MemorySegment buffer, long bufferOffset, long length, long source, RemoteRegion region,
            long offset, long context) {
        long fid = endpoint.handleTo(source);
        long address = Buffers.writable("fi_read", buffer);
        Buffers.range("fi_read", buffer, bufferOffset, length);
        if (endpoint.describes()) {
            return call("fi_readmsg").remote(region, offset, length).local(buffer, bufferOffset, length)
                    .read(source, context, endpoint.transmitFlags());
        }
        long remote = Remote.address(region, "fi_read", offset, length);
        long key = endpoint.state().key(region);
        long token = endpoint.transmitToken(context, buffer);
        long result = RmaOps.read(fid, address + bufferOffset, length, 0, source, remote, key, token);
        return result == 0 || endpoint.refused("fi_read", result, token);
    }

    @Override
    public boolean read(IoVector buffers, long source, RemoteRegion region, long offset, long context) {
        long fid = endpoint.handleTo(source);
        long iov = buffers.writable("fi_readv");
        if (endpoint.describes()) {
            return call("fi_readmsg").remote(region, offset, buffers.byteSize()).local(buffers)
                    .read(source, context, endpoint.transmitFlags());
        }
        limits.checkLocal("fi_readv", buffers.count());
        long remote = Remote.address(region, "fi_readv", offset, buffers.byteSize());
        long key = endpoint.state().key(region);
        long token = endpoint.transmitToken(context, buffers);
        long result = RmaOps.readv(fid, iov, 0, buffers.count(), source, remote, key, token);
        return result == 0 || endpoint.refused("fi_readv", result, token);
    }

    @Override
    public boolean read(IoVector buffers, long source, RemoteIoVector ranges, long context,
            Flags<OperationFlag> flags) {
        endpoint.handleTo(source);
        buffers.writable("fi_readmsg");
        return call("fi_readmsg").remote(ranges).local(buffers).read(source, context, flags.bits());
    }

    @Override
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
