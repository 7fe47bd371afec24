// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.MessageRequest;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_op_msg;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.OperationKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@link MessageRequest}. */
public final class MessageRequestImpl extends BufferedRequest<MessageRequest> implements MessageRequest {
    private final MemorySegment struct = Arena.ofAuto().allocate(fi_msg.layout());

    private MessageRequestImpl(EndpointState state, OperationKind operation) {
        super(state, state.messages(), operation);
    }

    public static MessageRequestImpl send(EndpointState state) {
        return new MessageRequestImpl(state, OperationKind.SEND);
    }

    public static MessageRequestImpl receive(EndpointState state) {
        return new MessageRequestImpl(state, OperationKind.RECEIVE);
    }

    @Override
    MessageRequest self() {
        return this;
    }

    @Override
    long postVector(long fid, long token) {
        long iov = table.entries().address();
        long desc = table.descriptors().address();
        return operation.receives() ? state.messageOps().recvv(fid, iov, desc, table.count(), peer(), token)
                : state.messageOps().sendv(fid, iov, desc, table.count(), peer(), token);
    }

    @Override
    long postMessage(long fid, long token, long flags) {
        OperationStructs.message(struct, table, peer(), token, data());
        return operation.receives() ? state.messageOps().recvmsg(fid, struct.address(), flags)
                : state.messageOps().sendmsg(fid, struct.address(), flags);
    }

    @Override
    public int deferredType() {
        return operation.receives() ? Libfabric.FI_OP_RECV() : Libfabric.FI_OP_SEND();
    }

    @Override
    public MemorySegment deferred(Arena arena, long fid, long context, long flags) {
        MemorySegment op = fi_op_msg.allocate(arena);
        fi_op_msg.ep(op, MemorySegment.ofAddress(fid));
        OperationStructs.message(fi_op_msg.msg(op), table.copy(arena), peer(), context, data());
        fi_op_msg.flags(op, flags);
        return op;
    }
}
