// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.TaggedMessages;
import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.ops.TaggedOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.post.LocalBuffers;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link TaggedMessages} where buffers need descriptors or a prefix, which takes the long way. */
public final class PreparedTaggedMessages extends TaggedClaims {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final TaggedOps ops;
    private final long fid;
    private final Limits limits;
    private final LocalBuffers local;

    PreparedTaggedMessages(EndpointState state) {
        super(state);
        this.ops = state.taggedOps();
        this.fid = gate.fid();
        this.limits = state.limits();
        this.local = state.localBuffers();
    }

    @Override
    public boolean send(MemorySegment buffer, long peer, long tag, long context) {
        return send(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, tag, context);
    }

    @Override
    public boolean send(MemorySegment buffer, long offset, long length, long peer, long tag, long context) {
        gate.checkTo(peer);
        Buffers.address("fi_tsend", buffer);
        Buffers.range("fi_tsend", buffer, offset, length);
        long flags = state.transmitFlags();
        limits.checkSend("fi_tsend", length, flags);
        return MessageCall.of(state, tag, 0).send(buffer, offset, length, peer, 0, context, flags);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long peer, long tag, long context) {
        return sendData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, tag, context);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long offset, long length, long data, long peer, long tag,
            long context) {
        gate.checkTo(peer);
        Buffers.address("fi_tsenddata", buffer);
        Buffers.range("fi_tsenddata", buffer, offset, length);
        long flags = state.transmitFlags();
        limits.checkSend("fi_tsenddata", length, flags);
        return MessageCall.of(state, tag, 0)
                .send(buffer, offset, length, peer, data, context, flags | DATA);
    }

    @Override
    public boolean inject(MemorySegment buffer, long peer, long tag) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, tag);
    }

    @Override
    public boolean inject(MemorySegment buffer, long offset, long length, long peer, long tag) {
        Buffers.address("fi_tinject", buffer);
        Buffers.range("fi_tinject", buffer, offset, length);
        limits.checkInject("fi_tinject", length);
        state.checkTag(tag);
        Bias in = gate.to(peer);
        try {
            KeptMemory.checkAlive(buffer);
            long result = ops.inject(fid, local.prefixed(buffer, offset, length),
                    length + local.injectPrefix(), peer, tag);
            return result == 0 || state.refused("fi_tinject", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean injectData(MemorySegment buffer, long data, long peer, long tag) {
        return injectData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, tag);
    }

    @Override
    public boolean injectData(MemorySegment buffer, long offset, long length, long data, long peer, long tag) {
        Buffers.address("fi_tinjectdata", buffer);
        Buffers.range("fi_tinjectdata", buffer, offset, length);
        limits.checkInject("fi_tinjectdata", length);
        state.checkTag(tag);
        Bias in = gate.to(peer);
        try {
            KeptMemory.checkAlive(buffer);
            long result = ops.injectdata(fid, local.prefixed(buffer, offset, length), length + local.injectPrefix(),
                    data, peer, tag);
            return result == 0 || state.refused("fi_tinjectdata", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean receive(MemorySegment buffer, long peer, long tag, long ignore, long context) {
        return receive(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, tag, ignore, context);
    }

    @Override
    public boolean receive(MemorySegment buffer, long offset, long length, long peer, long tag, long ignore,
            long context) {
        gate.checkFrom(peer);
        Buffers.writable("fi_trecv", buffer);
        Buffers.range("fi_trecv", buffer, offset, length);
        return MessageCall.of(state, tag, ignore).receive(buffer, offset, length, peer, context, state.receiveFlags());
    }
}
