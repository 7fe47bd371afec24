// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.MessageRequest;
import io.jfabric.Messages;
import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.post.LocalBuffers;
import io.jfabric.internal.request.MessageRequestImpl;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link Messages} where buffers need descriptors or a prefix, which takes the long way. */
public final class PreparedMessages implements Messages {
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();

    private final EndpointState state;
    private final MsgOps ops;
    private final Gate gate;
    private final long fid;
    private final Limits limits;
    private final LocalBuffers local;

    PreparedMessages(EndpointState state) {
        this.state = state;
        this.ops = state.messageOps();
        this.gate = state.messages();
        this.fid = gate.fid();
        this.limits = state.limits();
        this.local = state.localBuffers();
    }

    @Override
    public boolean send(MemorySegment buffer, long peer, long context) {
        return send(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, context);
    }

    @Override
    public boolean send(MemorySegment buffer, long offset, long length, long peer, long context) {
        gate.checkTo(peer);
        Buffers.address("fi_send", buffer);
        Buffers.range("fi_send", buffer, offset, length);
        long flags = state.transmitFlags();
        limits.checkSend("fi_send", length, flags);
        return MessageCall.of(state).send(buffer, offset, length, peer, 0, context, flags);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long peer, long context) {
        return sendData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, context);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long offset, long length, long data, long peer, long context) {
        gate.checkTo(peer);
        Buffers.address("fi_senddata", buffer);
        Buffers.range("fi_senddata", buffer, offset, length);
        long flags = state.transmitFlags();
        limits.checkSend("fi_senddata", length, flags);
        return MessageCall.of(state)
                .send(buffer, offset, length, peer, data, context, flags | DATA);
    }

    @Override
    public boolean inject(MemorySegment buffer, long peer) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer);
    }

    @Override
    public boolean inject(MemorySegment buffer, long offset, long length, long peer) {
        Buffers.address("fi_inject", buffer);
        Buffers.range("fi_inject", buffer, offset, length);
        limits.checkInject("fi_inject", length);
        Bias in = gate.to(peer);
        try {
            KeptMemory.checkAlive(buffer);
            long result = ops.inject(fid, local.prefixed(buffer, offset, length), length + local.injectPrefix(),
                    peer);
            return result == 0 || state.refused("fi_inject", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean injectData(MemorySegment buffer, long data, long peer) {
        return injectData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer);
    }

    @Override
    public boolean injectData(MemorySegment buffer, long offset, long length, long data, long peer) {
        Buffers.address("fi_injectdata", buffer);
        Buffers.range("fi_injectdata", buffer, offset, length);
        limits.checkInject("fi_injectdata", length);
        Bias in = gate.to(peer);
        try {
            KeptMemory.checkAlive(buffer);
            long result = ops.injectdata(fid, local.prefixed(buffer, offset, length), length + local.injectPrefix(),
                    data, peer);
            return result == 0 || state.refused("fi_injectdata", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean receive(MemorySegment buffer, long peer, long context) {
        return receive(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, context);
    }

    @Override
    public boolean receive(MemorySegment buffer, long offset, long length, long peer, long context) {
        gate.checkFrom(peer);
        Buffers.writable("fi_recv", buffer);
        Buffers.range("fi_recv", buffer, offset, length);
        return MessageCall.of(state).receive(buffer, offset, length, peer, context, state.receiveFlags());
    }

    @Override
    public boolean receiveMulti(MemorySegment buffer, long peer, long context) {
        gate.checkFrom(peer);
        Buffers.writable("fi_recvmsg", buffer);
        return MessageCall.of(state).receiveMulti(buffer, peer, context);
    }

    @Override
    public MessageRequest sendRequest() {
        return MessageRequestImpl.send(state);
    }

    @Override
    public MessageRequest receiveRequest() {
        return MessageRequestImpl.receive(state);
    }
}
