// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.TaggedRequest;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.bindings.fi_op_tagged;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.OperationKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@link TaggedRequest}. */
public final class TaggedRequestImpl extends BufferedRequest<TaggedRequest> implements TaggedRequest {
    private final MemorySegment struct = Arena.ofAuto().allocate(fi_msg_tagged.layout());
    private long tag;
    private long ignore;

    private TaggedRequestImpl(EndpointState state, OperationKind operation) {
        super(state, state.tagged(), operation);
    }

    public static TaggedRequestImpl send(EndpointState state) {
        return new TaggedRequestImpl(state, OperationKind.TAGGED_SEND);
    }

    public static TaggedRequestImpl receive(EndpointState state) {
        return new TaggedRequestImpl(state, OperationKind.TAGGED_RECEIVE);
    }

    @Override
    TaggedRequest self() {
        return this;
    }

    @Override
    public TaggedRequestImpl tag(long newTag) {
        state.checkTag(newTag);
        tag = newTag;
        return this;
    }

    @Override
    public TaggedRequestImpl ignore(long newIgnore) {
        if (!operation.receives()) {
            throw new IllegalArgumentException(name() + ": a send has exactly one tag and cannot ignore bits");
        }
        ignore = newIgnore & ~state.reservedTags();
        return this;
    }

    @Override
    long postVector(long fid, long token) {
        long iov = table.entries().address();
        long desc = table.descriptors().address();
        return operation.receives() ? state.taggedOps().recvv(fid, iov, desc, table.count(), peer(), tag, ignore, token)
                : state.taggedOps().sendv(fid, iov, desc, table.count(), peer(), tag, token);
    }

    @Override
    long postMessage(long fid, long token, long flags) {
        OperationStructs.tagged(struct, table, peer(), tag, ignore, token, data());
        return operation.receives() ? state.taggedOps().recvmsg(fid, struct.address(), flags)
                : state.taggedOps().sendmsg(fid, struct.address(), flags);
    }

    @Override
    public int deferredType() {
        return operation.receives() ? Libfabric.FI_OP_TRECV() : Libfabric.FI_OP_TSEND();
    }

    @Override
    public MemorySegment deferred(Arena arena, long fid, long context, long flags) {
        MemorySegment op = fi_op_tagged.allocate(arena);
        fi_op_tagged.ep(op, MemorySegment.ofAddress(fid));
        OperationStructs.tagged(fi_op_tagged.msg(op), table.copy(arena), peer(), tag, ignore, context, data());
        fi_op_tagged.flags(op, flags);
        return op;
    }
}
