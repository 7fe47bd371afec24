// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.MessageRequest;
import io.jfabric.Messages;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.post.MultiReceiveGuard;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.request.MessageRequestImpl;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link Messages} where buffers can go to the provider as they are. */
public final class PlainMessages implements Messages {
    private final EndpointState state;
    private final Gate gate;
    private final long fid;
    private final MsgOps ops;
    private final Limits limits;
    private final Contexts contexts;
    /** The tail of all receives; null where they need none. */
    private final OverflowTail tail;
    /** Whether receives of 0 bytes have a tail. */
    private final boolean spare;
    /** Null where a receive of several messages needs no look at its buffer. */
    private final MultiReceiveGuard several;

    PlainMessages(EndpointState state) {
        this.state = state;
        this.gate = state.messages();
        this.fid = gate.fid();
        this.ops = state.messageOps();
        this.limits = state.limits();
        this.contexts = state.contexts();
        this.tail = OverflowTail.ofAll(state.tail());
        this.spare = state.tail() != null;
        this.several = state.multiReceives().looksAtEach() ? state.multiReceives() : null;
    }

    @Override
    public boolean send(MemorySegment buffer, long peer, long context) {
        long address = Buffers.addressOf("fi_send", buffer);
        long length = buffer.byteSize();
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_send", length);
            Buffers.checkAlive("fi_send", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.send(fid, address, length, 0, peer, token);
            return result == 0 || state.refused("fi_send", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean send(MemorySegment buffer, long offset, long length, long peer, long context) {
        long address = Buffers.addressOf("fi_send", buffer);
        Buffers.range("fi_send", buffer, offset, length);
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_send", length);
            Buffers.checkAlive("fi_send", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.send(fid, address + offset, length, 0, peer, token);
            return result == 0 || state.refused("fi_send", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long peer, long context) {
        return sendData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, context);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long offset, long length, long data, long peer, long context) {
        long address = Buffers.addressOf("fi_senddata", buffer);
        Buffers.range("fi_senddata", buffer, offset, length);
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_senddata", length);
            Buffers.checkAlive("fi_senddata", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.senddata(fid, address + offset, length, 0, data, peer, token);
            return result == 0 || state.refused("fi_senddata", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean inject(MemorySegment buffer, long peer) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer);
    }

    @Override
    public boolean inject(MemorySegment buffer, long offset, long length, long peer) {
        long address = Buffers.addressOf("fi_inject", buffer);
        Buffers.range("fi_inject", buffer, offset, length);
        limits.checkInject("fi_inject", length);
        Bias in = gate.to(peer);
        try {
            Buffers.checkAlive("fi_inject", buffer);
            long result = ops.inject(fid, address + offset, length, peer);
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
        long address = Buffers.addressOf("fi_injectdata", buffer);
        Buffers.range("fi_injectdata", buffer, offset, length);
        limits.checkInject("fi_injectdata", length);
        Bias in = gate.to(peer);
        try {
            Buffers.checkAlive("fi_injectdata", buffer);
            long result = ops.injectdata(fid, address + offset, length, data, peer);
            return result == 0 || state.refused("fi_injectdata", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean receive(MemorySegment buffer, long peer, long context) {
        long address = Buffers.writableAddressOf("fi_recv", buffer);
        long length = buffer.byteSize();
        if (takesLongWay(length)) {
            return receiveLong(buffer, 0, length, peer, context);
        }
        Bias in = gate.from(peer);
        try {
            Buffers.checkAlive("fi_recv", buffer);
            if (several != null) {
                several.checkPlain("fi_recv", length);
            }
            long token = contexts.receiveAlive(context, buffer, length, peer);
            if (tail != null) {
                return receiveWithTail(address, length, peer, token);
            }
            long result = ops.recv(fid, address, length, 0, peer, token);
            return result == 0 || state.refused("fi_recv", result, token);
        } finally {
            gate.leaveReceive(in);
        }
    }

    @Override
    public boolean receive(MemorySegment buffer, long offset, long length, long peer, long context) {
        long address = Buffers.writableAddressOf("fi_recv", buffer);
        Buffers.range("fi_recv", buffer, offset, length);
        if (takesLongWay(length)) {
            return receiveLong(buffer, offset, length, peer, context);
        }
        Bias in = gate.from(peer);
        try {
            Buffers.checkAlive("fi_recv", buffer);
            if (several != null) {
                several.checkPlain("fi_recv", length);
            }
            long token = contexts.receiveAlive(context, buffer, length, peer);
            if (tail != null) {
                return receiveWithTail(address + offset, length, peer, token);
            }
            long result = ops.recv(fid, address + offset, length, 0, peer, token);
            return result == 0 || state.refused("fi_recv", result, token);
        } finally {
            gate.leaveReceive(in);
        }
    }

    @Override
    public boolean receiveMulti(MemorySegment buffer, long peer, long context) {
        gate.checkFrom(peer);
        Buffers.writable("fi_recvmsg", buffer);
        return MessageCall.of(state).receiveMulti(buffer, peer, context);
    }

    private boolean receiveWithTail(long address, long length, long peer, long token) {
        if (token == ContextSlab.FULL) {
            return false;
        }
        long result = ops.recvv(fid, tail.table(address, length), 0, 2, peer, token);
        return result == 0 || state.refused("fi_recvv", result, token);
    }

    /** Whether it is a receive of 0 bytes that needs a tail, or one whose end only jfabric is to see. */
    private boolean takesLongWay(long length) {
        return length == 0 && spare || tail != null && contexts.receivesSilently();
    }

    private boolean receiveLong(MemorySegment buffer, long offset, long length, long peer, long context) {
        gate.checkFrom(peer);
        Buffers.checkAlive("fi_recv", buffer);
        return MessageCall.of(state).receive(buffer, offset, length, peer, context, state.receiveFlags());
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
