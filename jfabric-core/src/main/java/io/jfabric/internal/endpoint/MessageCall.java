// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.info.Address;
import io.jfabric.internal.context.ClaimedMessage;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.ContextSlot;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.post.BufferTable;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.LocalBuffers;
import io.jfabric.internal.post.OperationKind;
import io.jfabric.internal.request.OperationStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The long form of a plain send or receive: {@code fi_sendmsg}, {@code fi_recvmsg} and their tagged twins, of one
 * buffer. Used where the provider wants descriptors or prefixes, and for receives that need flags. One per thread,
 * used over and over.
 */
final class MessageCall {
    static final long CLAIM = Libfabric.FI_CLAIM();
    static final long DISCARD = Libfabric.FI_DISCARD();
    private static final long COMPLETION = Libfabric.FI_COMPLETION();
    /** Asks for its completion, which is the answer. */
    static final long PEEK = Libfabric.FI_PEEK() | COMPLETION;
    private static final long MULTI = Libfabric.FI_MULTI_RECV();
    private static final ThreadLocal<MessageCall> CALLS = ThreadLocal.withInitial(MessageCall::new);

    /** Large enough for either struct. */
    private final MemorySegment message = Arena.ofAuto().allocate(fi_msg_tagged.layout());
    private final BufferTable table = new BufferTable();
    private EndpointState endpoint;
    private boolean tagged;
    private long tag;
    private long ignore;

    static MessageCall of(EndpointState endpoint) {
        MessageCall call = CALLS.get();
        call.endpoint = endpoint;
        call.tagged = false;
        return call;
    }

    static MessageCall of(EndpointState endpoint, long tag, long ignore) {
        endpoint.checkTag(tag);
        MessageCall call = of(endpoint);
        call.tagged = true;
        call.tag = tag;
        call.ignore = ignore & ~endpoint.reservedTags();
        return call;
    }

    boolean send(MemorySegment buffer, long offset, long length, long peer, long data, long context, long flags) {
        OperationKind operation = tagged ? OperationKind.TAGGED_SEND : OperationKind.SEND;
        Object keep = prepare(buffer, offset, length, true);
        long own = operation.meaningful(flags);
        long fid = gate().enterTo(peer, keep);
        while (isStale(keep)) {
            keep = endpoint.localBuffers().prepare(table, true, LocalBuffers.startOver(keep, gate()::leave));
            fid = gate().enterTo(peer, keep);
        }
        try {
            long token = LocalBuffers.reported(operation.messageName(),
                    endpoint.contexts().transmit(context, keep, kind(keep), own), keep);
            return transmit(fid, operation, token, peer, data, own);
        } finally {
            letGo().leave();
        }
    }

    boolean receive(MemorySegment buffer, long offset, long length, long peer, long context, long flags) {
        long own = operation().meaningful(flags);
        boolean multi = (own & MULTI) != 0;
        Object keep = multi ? prepareMulti(buffer, offset, length) : prepare(buffer, offset, length, false);
        boolean bounded = !multi && addTail(length);
        return post(keep, multi, bounded ? length : ContextSlot.UNBOUNDED, peer, context, own);
    }

    /** Slices the buffer, as messages are located from the start of what is kept. */
    private Object prepareMulti(MemorySegment buffer, long offset, long length) {
        Buffers.range(operation().messageName(), buffer, offset, length);
        endpoint.multiReceives().checkRoom(operation().messageName(), length);
        return prepare(buffer.asSlice(offset, length), 0, length, false);
    }

    boolean receiveMulti(MemorySegment buffer, long peer, long context) {
        long length = buffer.byteSize();
        endpoint.multiReceives().check("fi_recvmsg", length);
        return post(prepare(buffer, 0, length, false), true, ContextSlot.UNBOUNDED, peer, context,
                operation().meaningful(endpoint.receiveFlags()) | MULTI);
    }

    boolean peek(long peer, long context, long flags) {
        boolean only = (flags & (CLAIM | DISCARD)) == 0;
        if (only) {
            endpoint.checkPeek("fi_trecvmsg");
        } else {
            endpoint.checkClaim("fi_trecvmsg");
        }
        if ((flags & DISCARD) != 0) {
            endpoint.checkDiscard("fi_trecvmsg");
        }
        table.clear();
        Object keep = seen();
        if (only) {
            return post(keep, false, ContextSlot.UNBOUNDED, peer, context, flags);
        }
        long fid = gate().enterToReceive(peer, null);
        try {
            return take(fid, (flags & CLAIM) != 0 ? ClaimedMessage.reserve(endpoint.contexts(), context, keep)
                    : ClaimedMessage.drop(endpoint.contexts(), context, keep, kind(keep)), peer, flags);
        } finally {
            letGo().leaveReceive();
        }
    }

    private Object seen() {
        return endpoint.localBuffers() == null ? null : endpoint.localBuffers().seen();
    }

    /**
     * Without a buffer, drops the message. Reported in any case: nothing else says when the context and the buffer are
     * free, nor, with some providers, that the message was too long.
     */
    boolean claim(MemorySegment buffer, long peer, long context) {
        endpoint.checkClaim("fi_trecvmsg");
        if (buffer == null) {
            endpoint.checkDiscard("fi_trecvmsg");
        }
        table.clear();
        Object keep = buffer == null ? seen() : prepare(buffer, 0, buffer.byteSize(), false);
        boolean bounded = buffer != null && addTail(buffer.byteSize());
        long fid = gate().enterToReceive(peer, keep);
        while (isStale(keep)) {
            keep = prepareAgain(LocalBuffers.startOver(keep, gate()::leaveReceive), bounded);
            fid = gate().enterToReceive(peer, keep);
        }
        try {
            long token = ClaimedMessage.use(endpoint.contexts(), context, keep, kind(keep, bounded),
                    bounded ? buffer.byteSize() : ContextSlot.UNBOUNDED);
            long result = receive(fid, token, peer, CLAIM | COMPLETION | (buffer == null ? DISCARD : 0));
            boolean remains = ClaimedMessage.remains(result) && !endpoint.isTaken(result);
            if (remains) {
                ClaimedMessage.putBack(endpoint.contexts(), token);
            }
            return result == 0 || endpoint.refused(operation().messageName(), result, remains ? 0 : token);
        } finally {
            letGo().leaveReceive();
        }
    }

    private Gate gate() {
        return tagged ? endpoint.tagged() : endpoint.messages();
    }

    /** The gate to leave by. The thread keeps this object, but must not keep an endpoint that is forgotten. */
    private Gate letGo() {
        Gate gate = gate();
        endpoint = null;
        return gate;
    }

    private OperationKind operation() {
        return tagged ? OperationKind.TAGGED_RECEIVE : OperationKind.RECEIVE;
    }

    private Object prepare(MemorySegment buffer, long offset, long length, boolean sends) {
        if (endpoint.localBuffers() == null) {
            table.clear();
            table.add(buffer.address() + offset, length);
            return buffer;
        }
        endpoint.localBuffers().start(table, sends);
        table.add(buffer.address() + offset, length);
        return endpoint.localBuffers().prepare(table, sends, buffer);
    }

    /** Whether the buffer's region was closed before this thread went in; without a buffer there is none. */
    private boolean isStale(Object keep) {
        return keep != null && endpoint.describes() && endpoint.localBuffers().isStale(table, keep);
    }

    private Object prepareAgain(Object buffers, boolean tailed) {
        if (tailed) {
            table.remove(endpoint.tail());
        }
        Object keep = endpoint.localBuffers().prepare(table, false, buffers);
        if (tailed) {
            table.add(endpoint.tail());
        }
        return keep;
    }

    private static byte kind(Object keep) {
        return keep instanceof Kept ? ContextSlab.RESOURCES : ContextSlab.PLAIN;
    }

    private static byte kind(Object keep, boolean bounded) {
        byte kind = kind(keep);
        return bounded && kind == ContextSlab.PLAIN ? ContextSlab.BOUNDED : kind;
    }

    /** Whether the receive ends in a tail, which is added then. */
    private boolean addTail(long length) {
        boolean tailed = endpoint.tail() != null && endpoint.tail().ends(length, table.count());
        if (tailed) {
            table.add(endpoint.tail());
        }
        return tailed;
    }

    private boolean post(Object prepared, boolean multi, long room, long peer, long context, long flags) {
        Object keep = prepared;
        boolean bounded = room != ContextSlot.UNBOUNDED;
        long fid = gate().enterToReceive(peer, keep);
        while (isStale(keep)) {
            keep = prepareAgain(LocalBuffers.startOver(keep, gate()::leaveReceive), bounded);
            fid = gate().enterToReceive(peer, keep);
        }
        try {
            if (bounded && endpoint.contexts().isSilent(flags)) {
                long token = endpoint.contexts().silent().acquire(context, keep, room, tagged ? Address.ANY : peer);
                if (token != ContextSlab.FULL) {
                    return take(fid, token, peer, flags | COMPLETION);
                }
            }
            byte kind = multi ? ContextSlab.MULTI_RECV : kind(keep, bounded);
            long token = endpoint.contexts().receive(context, keep, kind, room, flags, tagged ? Address.ANY : peer);
            if (token == ContextSlab.FULL) {
                Kept.release(keep);
                return false;
            }
            return take(fid, LocalBuffers.reported(operation().messageName(), token, keep), peer, flags);
        } finally {
            letGo().leaveReceive();
        }
    }

    private boolean transmit(long fid, OperationKind operation, long token, long peer, long data, long flags) {
        fill(peer, token, data);
        long result = tagged ? endpoint.taggedOps().sendmsg(fid, message.address(), flags)
                : endpoint.messageOps().sendmsg(fid, message.address(), flags);
        return result == 0 || endpoint.refused(operation.messageName(), result, token);
    }

    private boolean take(long fid, long token, long peer, long flags) {
        long result = receive(fid, token, peer, flags);
        return result == 0 || endpoint.refused(operation().messageName(), result, token);
    }

    private long receive(long fid, long token, long peer, long flags) {
        fill(peer, token, 0);
        return tagged ? endpoint.taggedOps().recvmsg(fid, message.address(), flags)
                : endpoint.messageOps().recvmsg(fid, message.address(), flags);
    }

    private void fill(long peer, long token, long data) {
        if (tagged) {
            OperationStructs.tagged(message, table, peer, tag, ignore, token, data);
        } else {
            OperationStructs.message(message, table, peer, token, data);
        }
    }
}
