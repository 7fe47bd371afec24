// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.RemoteRegion;
import io.jfabric.Rma;
import io.jfabric.RmaRequest;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.post.Remote;
import io.jfabric.internal.request.RmaRequestImpl;
import java.lang.foreign.MemorySegment;

/** {@link Rma} where local buffers need descriptors, of registrations that jfabric makes if it must. */
public final class PreparedRma implements Rma {
    private final EndpointState state;
    private final RmaOps ops;
    private final PlainRma plain;
    private final Gate writes;
    private final Gate reads;
    private final Limits limits;

    PreparedRma(EndpointState state) {
        this.state = state;
        this.ops = state.rmaOps();
        this.plain = new PlainRma(state);
        this.writes = state.writes();
        this.reads = state.reads();
        this.limits = state.limits();
    }

    @Override
    public boolean write(MemorySegment buffer, long peer, RemoteRegion region, long offset, long context) {
        return write(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, region, offset, context);
    }

    @Override
    public boolean write(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset, long context) {
        long address = Buffers.address("fi_write", buffer);
        Buffers.range("fi_write", buffer, bufferOffset, length);
        long remote = Remote.address(region, "fi_write", offset, length);
        long key = state.domain().key(region);
        writes.checkTo(peer);
        DescribedCall call = DescribedCall.of(state, "fi_write", false).describe(buffer, bufferOffset, length);
        long fid = call.enter(writes, peer);
        try {
            long token = call.token(context, length);
            return call.outcome(ops.write(fid, address + bufferOffset, length, call.descriptor(), peer, remote, key,
                    token), token);
        } finally {
            call.leave();
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
        long address = Buffers.address("fi_writedata", buffer);
        Buffers.range("fi_writedata", buffer, bufferOffset, length);
        long remote = Remote.address(region, "fi_writedata", offset, length);
        long key = state.domain().key(region);
        writes.checkTo(peer);
        DescribedCall call = DescribedCall.of(state, "fi_writedata", false).describe(buffer, bufferOffset, length);
        long fid = call.enter(writes, peer);
        try {
            long token = call.token(context, length);
            return call.outcome(ops.writedata(fid, address + bufferOffset, length, call.descriptor(), data, peer,
                    remote, key, token), token);
        } finally {
            call.leave();
        }
    }

    @Override
    public boolean inject(MemorySegment buffer, long peer, RemoteRegion region, long offset) {
        return plain.inject(buffer, peer, region, offset);
    }

    @Override
    public boolean inject(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset) {
        return plain.inject(buffer, bufferOffset, length, peer, region, offset);
    }

    @Override
    public boolean injectData(MemorySegment buffer, long data, long peer, RemoteRegion region, long offset) {
        return plain.injectData(buffer, data, peer, region, offset);
    }

    @Override
    public boolean injectData(MemorySegment buffer, long bufferOffset, long length, long data, long peer,
            RemoteRegion region, long offset) {
        return plain.injectData(buffer, bufferOffset, length, data, peer, region, offset);
    }

    @Override
    public boolean read(MemorySegment buffer, long peer, RemoteRegion region, long offset, long context) {
        return read(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, region, offset, context);
    }

    @Override
    public boolean read(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset, long context) {
        long address = Buffers.writable("fi_read", buffer);
        Buffers.range("fi_read", buffer, bufferOffset, length);
        limits.checkRead("fi_read", length);
        long remote = Remote.address(region, "fi_read", offset, length);
        long key = state.domain().key(region);
        reads.checkTo(peer);
        DescribedCall call = DescribedCall.of(state, "fi_read", true).describe(buffer, bufferOffset, length);
        long fid = call.enter(reads, peer);
        try {
            long token = call.token(context);
            return call.outcome(ops.read(fid, address + bufferOffset, length, call.descriptor(), peer, remote, key,
                    token), token);
        } finally {
            call.leave();
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
