// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.IoVector;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.MsgOps;
import io.jfabric.internal.ffi.TaggedOps;
import io.jfabric.internal.post.ContextSlab;
import io.jfabric.internal.post.Kept;
import io.jfabric.internal.post.Refusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The long form of a send or receive: {@code fi_sendmsg}, {@code fi_recvmsg} and their tagged twins. Used for flags
 * of an operation's own, and where the provider wants descriptors or prefixes. One per thread, used over and over.
 */
public final class MessageCall {
    private static final ThreadLocal<MessageCall> CALLS = ThreadLocal.withInitial(MessageCall::new);
    private static final int IOVEC_BYTES = 16;

    /** Large enough for either struct. */
    private final MemorySegment message = Arena.ofAuto().allocate(fi_msg_tagged.layout());
    private MemorySegment iov = Arena.ofAuto().allocate(8 * IOVEC_BYTES, 8);
    private MemorySegment descriptors = Arena.ofAuto().allocate(8 * 8, 8);
    private int count;
    private boolean described;
    private EndpointImpl endpoint;
    private String operation;
    private boolean tagged;
    private long tag;
    private long ignore;

    public static MessageCall of(EndpointImpl endpoint, String operation) {
        MessageCall call = CALLS.get();
        call.endpoint = endpoint;
        call.operation = operation;
        call.tagged = false;
        call.described = false;
        call.count = 0;
        return call;
    }

    public MessageCall tagged(long newTag, long newIgnore) {
        tagged = true;
        tag = newTag;
        ignore = newIgnore;
        return this;
    }

    /** Adds a buffer; the descriptor is 0 where the provider wants none. */
    public void add(long address, long length, long descriptor) {
        long at = (long) count * IOVEC_BYTES;
        if (at == iov.byteSize()) {
            iov = Arena.ofAuto().allocate(2 * iov.byteSize(), 8).copyFrom(iov);
            descriptors = Arena.ofAuto().allocate(2 * descriptors.byteSize(), 8).copyFrom(descriptors);
        }
        iov.set(JAVA_LONG, at, address);
        iov.set(JAVA_LONG, at + 8, length);
        descriptors.set(JAVA_LONG, count * 8L, descriptor);
        described |= descriptor != 0;
        count++;
    }

    public boolean send(MemorySegment buffer, long offset, long length, long destination, long data, long context,
            long flags) {
        Object keep = buffer;
        if (endpoint.prepared()) {
            keep = endpoint.localBuffers().prepare(this, buffer, offset, length, true);
        } else {
            add(buffer.address() + offset, length, 0);
        }
        return transmit(keep, destination, data, context, flags);
    }

    public boolean send(IoVector buffers, long destination, long data, long context, long flags) {
        return transmit(addAll(buffers, true), destination, data, context, flags);
    }

    public boolean receive(MemorySegment buffer, long offset, long length, long source, long context, long flags) {
        endpoint.checkReceive(operation, length, flags);
        Object keep = buffer;
        if (endpoint.prepared()) {
            keep = endpoint.localBuffers().prepare(this, buffer, offset, length, false);
        } else {
            add(buffer.address() + offset, length, 0);
        }
        byte kind = (flags & Libfabric.FI_MULTI_RECV()) != 0 ? ContextSlab.MULTI_RECV : kind(keep);
        return post(keep, kind, source, context, flags);
    }

    public boolean receive(IoVector buffers, long source, long context, long flags) {
        endpoint.checkReceive(operation, buffers.byteSize(), flags);
        Object keep = addAll(buffers, false);
        return post(keep, kind(keep), source, context, flags);
    }

    public boolean peek(long source, long context, long flags) {
        if ((flags & Libfabric.FI_CLAIM()) != 0) {
            return run(ClaimedMessage.reserve(endpoint, context), source, 0, flags, false);
        }
        if ((flags & Libfabric.FI_DISCARD()) != 0) {
            return run(ClaimedMessage.drop(endpoint, context), source, 0, flags, false);
        }
        return post(null, ContextSlab.PLAIN, source, context, flags);
    }

    public boolean claim(MemorySegment buffer, long source, long context, long flags) {
        if (buffer != null) {
            add(buffer.address(), buffer.byteSize(), 0);
        }
        return run(ClaimedMessage.use(endpoint, context, buffer), source, 0, flags, false);
    }

    private Object addAll(IoVector buffers, boolean sends) {
        if (endpoint.prepared()) {
            return endpoint.localBuffers().prepare(this, buffers, sends);
        }
        for (int i = 0; i < buffers.count(); i++) {
            MemorySegment segment = buffers.segments().get(i);
            add(segment.address(), segment.byteSize(), 0);
        }
        return buffers;
    }

    private static byte kind(Object keep) {
        return keep instanceof Kept ? ContextSlab.RESOURCES : ContextSlab.PLAIN;
    }

    private boolean transmit(Object keep, long destination, long data, long context, long flags) {
        long token = endpoint.transmitToken(context, keep, kind(keep), flags);
        return run(reported(token, keep), destination, data, flags, true);
    }

    private boolean post(Object keep, byte kind, long source, long context, long flags) {
        long token = endpoint.receiveToken(context, keep, kind, flags, tagged ? Address.ANY : source);
        return run(reported(token, keep), source, 0, flags, false);
    }

    /** What jfabric adds to an operation can only be taken back when its completion is seen. */
    private long reported(long token, Object keep) {
        if (token == 0 && keep instanceof Kept resources) {
            resources.release();
            throw Refusal.unreported(operation);
        }
        return token;
    }

    private boolean run(long token, long address, long data, long flags, boolean sends) {
        long fid = endpoint.handle();
        long desc = described ? descriptors.address() : 0;
        long result;
        if (tagged) {
            fi_msg_tagged.msg_iov(message, iov);
            message.set(JAVA_LONG, fi_msg_tagged.desc$offset(), desc);
            fi_msg_tagged.iov_count(message, count);
            fi_msg_tagged.addr(message, address);
            fi_msg_tagged.tag(message, tag);
            fi_msg_tagged.ignore(message, ignore);
            message.set(JAVA_LONG, fi_msg_tagged.context$offset(), token);
            fi_msg_tagged.data(message, data);
            result = sends ? TaggedOps.sendmsg(fid, message.address(), flags)
                    : TaggedOps.recvmsg(fid, message.address(), flags);
        } else {
            fi_msg.msg_iov(message, iov);
            message.set(JAVA_LONG, fi_msg.desc$offset(), desc);
            fi_msg.iov_count(message, count);
            fi_msg.addr(message, address);
            message.set(JAVA_LONG, fi_msg.context$offset(), token);
            fi_msg.data(message, data);
            result = sends ? MsgOps.sendmsg(fid, message.address(), flags)
                    : MsgOps.recvmsg(fid, message.address(), flags);
        }
        return result == 0 || endpoint.refused(operation, result, token);
    }
}
