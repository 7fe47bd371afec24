// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.RemoteRegion;
import io.jfabric.Rma;
import io.jfabric.RmaRequest;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.post.Remote;
import io.jfabric.internal.request.RmaRequestImpl;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link Rma} where local buffers need no descriptors. */
public final class PlainRma implements Rma {
    private final EndpointState state;
    private final DomainState domain;
    private final Gate writes;
    private final Gate reads;
    private final long fid;
    private final RmaOps ops;
    private final Limits limits;
    private final Contexts contexts;

    PlainRma(EndpointState state) {
        this.state = state;
        this.domain = state.domain();
        this.writes = state.writes();
        this.reads = state.reads();
        this.fid = writes.fid();
        this.ops = state.rmaOps();
        this.limits = state.limits();
        this.contexts = state.contexts();
    }

    @Override
    public boolean write(MemorySegment buffer, long peer, RemoteRegion region, long offset, long context) {
        return write(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, region, offset, context);
    }

    @Override
    public boolean write(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset, long context) {
        long address = Buffers.addressOf("fi_write", buffer);
        Buffers.range("fi_write", buffer, bufferOffset, length);
        long remote = Remote.address(region, "fi_write", offset, length);
        long key = domain.key(region);
        Bias in = writes.to(peer);
        try {
            limits.checkSend("fi_write", length);
            Buffers.checkAlive("fi_write", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.write(fid, address + bufferOffset, length, 0, peer, remote, key, token);
            return result == 0 || state.refused("fi_write", result, token);
        } finally {
            writes.leave(in);
        }
    }

    @Override
    public boolean writeData(MemorySegment buffer, long data, long peer, RemoteRegion region, long offset,
            long context) {
        return writeData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, region, offset, context);
    }

    @Override
    public boolean writeData(MemorySegment buffer, long bufferOffset, long length, long data, long peer,
            RemoteRegion region, long offset, long context) {
        long address = Buffers.addressOf("fi_writedata", buffer);
        Buffers.range("fi_writedata", buffer, bufferOffset, length);
        long remote = Remote.address(region, "fi_writedata", offset, length);
        long key = domain.key(region);
        Bias in = writes.to(peer);
        try {
            limits.checkSend("fi_writedata", length);
            Buffers.checkAlive("fi_writedata", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.writedata(fid, address + bufferOffset, length, 0, data, peer, remote, key, token);
            return result == 0 || state.refused("fi_writedata", result, token);
        } finally {
            writes.leave(in);
        }
    }

    @Override
    public boolean inject(MemorySegment buffer, long peer, RemoteRegion region, long offset) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, region, offset);
    }

    @Override
    public boolean inject(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset) {
        long address = Buffers.addressOf("fi_inject_write", buffer);
        Buffers.range("fi_inject_write", buffer, bufferOffset, length);
        limits.checkInject("fi_inject_write", length);
        long remote = Remote.address(region, "fi_inject_write", offset, length);
        long key = domain.key(region);
        Bias in = writes.to(peer);
        try {
            Buffers.checkAlive("fi_inject_write", buffer);
            long result = ops.inject(fid, address + bufferOffset, length, peer, remote, key);
            return result == 0 || state.refused("fi_inject_write", result, 0);
        } finally {
            writes.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean injectData(MemorySegment buffer, long data, long peer, RemoteRegion region, long offset) {
        return injectData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, region, offset);
    }

    @Override
    public boolean injectData(MemorySegment buffer, long bufferOffset, long length, long data, long peer,
            RemoteRegion region, long offset) {
        long address = Buffers.addressOf("fi_inject_writedata", buffer);
        Buffers.range("fi_inject_writedata", buffer, bufferOffset, length);
        limits.checkInject("fi_inject_writedata", length);
        long remote = Remote.address(region, "fi_inject_writedata", offset, length);
        long key = domain.key(region);
        Bias in = writes.to(peer);
        try {
            Buffers.checkAlive("fi_inject_writedata", buffer);
            long result = ops.injectdata(fid, address + bufferOffset, length, data, peer, remote, key);
            return result == 0 || state.refused("fi_inject_writedata", result, 0);
        } finally {
            writes.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean read(MemorySegment buffer, long peer, RemoteRegion region, long offset, long context) {
        return read(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, region, offset, context);
    }

    @Override
    public boolean read(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset, long context) {
        long address = Buffers.writableAddressOf("fi_read", buffer);
        Buffers.range("fi_read", buffer, bufferOffset, length);
        limits.checkRead("fi_read", length);
        long remote = Remote.address(region, "fi_read", offset, length);
        long key = domain.key(region);
        Bias in = reads.to(peer);
        try {
            Buffers.checkAlive("fi_read", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.read(fid, address + bufferOffset, length, 0, peer, remote, key, token);
            return result == 0 || state.refused("fi_read", result, token);
        } finally {
            reads.leave(in);
        }
    }

    @Override
    public RmaRequest writeRequest() {
        return RmaRequestImpl.write(state);
    }

    @Override
    public RmaRequest readRequest() {
        return RmaRequestImpl.read(state);
    }
}
