// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.TaggedMessages;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.ops.TaggedOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.quirk.OverflowTail;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link TaggedMessages} where buffers can go to the provider as they are. */
public final class PlainTaggedMessages extends TaggedClaims {
    private final long fid;
    private final TaggedOps ops;
    private final Limits limits;
    private final long reservedTags;
    private final Contexts contexts;
    /** The tail of all receives; null where they need none. */
    private final OverflowTail tail;
    /** Whether only receives of 0 bytes have a tail. */
    private final boolean spare;

    PlainTaggedMessages(EndpointState state) {
        super(state);
        this.fid = gate.fid();
        this.ops = state.taggedOps();
        this.limits = state.limits();
        this.reservedTags = state.reservedTags();
        this.contexts = state.contexts();
        this.tail = OverflowTail.ofAll(state.tail());
        this.spare = state.tail() != null && tail == null;
    }

    @Override
    public boolean send(MemorySegment buffer, long peer, long tag, long context) {
        long address = Buffers.addressOf("fi_tsend", buffer);
        long length = buffer.byteSize();
        checkTag(tag);
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_tsend", length);
            Buffers.checkAlive("fi_tsend", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.send(fid, address, length, 0, peer, tag, token);
            return result == 0 || state.refused("fi_tsend", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean send(MemorySegment buffer, long offset, long length, long peer, long tag, long context) {
        long address = Buffers.addressOf("fi_tsend", buffer);
        Buffers.range("fi_tsend", buffer, offset, length);
        checkTag(tag);
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_tsend", length);
            Buffers.checkAlive("fi_tsend", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.send(fid, address + offset, length, 0, peer, tag, token);
            return result == 0 || state.refused("fi_tsend", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean sendData(MemorySegment buffer, long data, long peer, long tag, long context) {
        return sendData(buffer, 0, buffer == null ? 0 : buffer.byteSize(), data, peer, tag, context);
    }

    @Override
    public boolean sendData(MemorySegment buffer, long offset, long length, long data, long peer, long tag,
            long context) {
        long address = Buffers.addressOf("fi_tsenddata", buffer);
        Buffers.range("fi_tsenddata", buffer, offset, length);
        checkTag(tag);
        Bias in = gate.to(peer);
        try {
            limits.checkSend("fi_tsenddata", length);
            Buffers.checkAlive("fi_tsenddata", buffer);
            long token = contexts.transmitAlive(context, buffer);
            long result = ops.senddata(fid, address + offset, length, 0, data, peer, tag, token);
            return result == 0 || state.refused("fi_tsenddata", result, token);
        } finally {
            gate.leave(in);
        }
    }

    @Override
    public boolean inject(MemorySegment buffer, long peer, long tag) {
        return inject(buffer, 0, buffer == null ? 0 : buffer.byteSize(), peer, tag);
    }

    @Override
    public boolean inject(MemorySegment buffer, long offset, long length, long peer, long tag) {
        long address = Buffers.addressOf("fi_tinject", buffer);
        Buffers.range("fi_tinject", buffer, offset, length);
        limits.checkInject("fi_tinject", length);
        checkTag(tag);
        Bias in = gate.to(peer);
        try {
            Buffers.checkAlive("fi_tinject", buffer);
            long result = ops.inject(fid, address + offset, length, peer, tag);
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
        long address = Buffers.addressOf("fi_tinjectdata", buffer);
        Buffers.range("fi_tinjectdata", buffer, offset, length);
        limits.checkInject("fi_tinjectdata", length);
        checkTag(tag);
        Bias in = gate.to(peer);
        try {
            Buffers.checkAlive("fi_tinjectdata", buffer);
            long result = ops.injectdata(fid, address + offset, length, data, peer, tag);
            return result == 0 || state.refused("fi_tinjectdata", result, 0);
        } finally {
            gate.leave(in);
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public boolean receive(MemorySegment buffer, long peer, long tag, long ignore, long context) {
        long address = Buffers.writableAddressOf("fi_trecv", buffer);
        checkTag(tag);
        long length = buffer.byteSize();
        if (takesLongWay(length)) {
            return receiveLong(buffer, 0, length, peer, tag, ignore, context);
        }
        Bias in = gate.from(peer);
        try {
            Buffers.checkAlive("fi_trecv", buffer);
            long token = contexts.receiveAlive(context, buffer, length);
            if (tail != null) {
                return receiveWithTail(address, length, peer, tag, ignore, token);
            }
            long result = ops.recv(fid, address, length, 0, peer, tag, ignore & ~reservedTags, token);
            return result == 0 || state.refused("fi_trecv", result, token);
        } finally {
            gate.leaveReceive(in);
        }
    }

    @Override
    public boolean receive(MemorySegment buffer, long offset, long length, long peer, long tag, long ignore,
            long context) {
        long address = Buffers.writableAddressOf("fi_trecv", buffer);
        checkTag(tag);
        Buffers.range("fi_trecv", buffer, offset, length);
        if (takesLongWay(length)) {
            return receiveLong(buffer, offset, length, peer, tag, ignore, context);
        }
        Bias in = gate.from(peer);
        try {
            Buffers.checkAlive("fi_trecv", buffer);
            long token = contexts.receiveAlive(context, buffer, length);
            if (tail != null) {
                return receiveWithTail(address + offset, length, peer, tag, ignore, token);
            }
            long result = ops.recv(fid, address + offset, length, 0, peer, tag, ignore & ~reservedTags, token);
            return result == 0 || state.refused("fi_trecv", result, token);
        } finally {
            gate.leaveReceive(in);
        }
    }

    private void checkTag(long tag) {
        if ((tag & reservedTags) != 0) {
            state.checkTag(tag);
        }
    }

    private boolean receiveWithTail(long address, long length, long peer, long tag, long ignore, long token) {
        if (token == ContextSlab.FULL) {
            return false;
        }
        long result = ops.recvv(fid, tail.table(address, length), 0, 2, peer, tag, ignore & ~reservedTags, token);
        return result == 0 || state.refused("fi_trecvv", result, token);
    }

    /** Whether it is a receive of 0 bytes that needs a tail, or one whose end only jfabric is to see. */
    private boolean takesLongWay(long length) {
        return length == 0 && spare || tail != null && contexts.receivesSilently();
    }

    private boolean receiveLong(MemorySegment buffer, long offset, long length, long peer, long tag, long ignore,
            long context) {
        gate.checkFrom(peer);
        return MessageCall.of(state, tag, ignore).receive(buffer, offset, length, peer, context, state.receiveFlags());
    }
}
