// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.internal.post.BufferTable;
import java.lang.foreign.MemorySegment;

/** Writes the structs that describe an operation to libfabric. */
public final class OperationStructs {
    private static final long MESSAGE_DESC = fi_msg.desc$offset();
    private static final long MESSAGE_CONTEXT = fi_msg.context$offset();
    private static final long TAGGED_DESC = fi_msg_tagged.desc$offset();
    private static final long TAGGED_CONTEXT = fi_msg_tagged.context$offset();
    private static final long RMA_CONTEXT = fi_msg_rma.context$offset();
    private static final long ATOMIC_CONTEXT = fi_msg_atomic.context$offset();

    private OperationStructs() {
    }

    /** {@code struct fi_msg} */
    public static void message(MemorySegment struct, BufferTable buffers, long peer, long context, long data) {
        fi_msg.msg_iov(struct, buffers.entries());
        struct.set(JAVA_LONG, MESSAGE_DESC, buffers.descriptors().address());
        fi_msg.iov_count(struct, buffers.count());
        fi_msg.addr(struct, peer);
        struct.set(JAVA_LONG, MESSAGE_CONTEXT, context);
        fi_msg.data(struct, data);
    }

    /** {@code struct fi_msg_tagged} */
    public static void tagged(MemorySegment struct, BufferTable buffers, long peer, long tag, long ignore,
            long context, long data) {
        fi_msg_tagged.msg_iov(struct, buffers.entries());
        struct.set(JAVA_LONG, TAGGED_DESC, buffers.descriptors().address());
        fi_msg_tagged.iov_count(struct, buffers.count());
        fi_msg_tagged.addr(struct, peer);
        fi_msg_tagged.tag(struct, tag);
        fi_msg_tagged.ignore(struct, ignore);
        struct.set(JAVA_LONG, TAGGED_CONTEXT, context);
        fi_msg_tagged.data(struct, data);
    }

    /** {@code struct fi_msg_rma} */
    static void rma(MemorySegment struct, BufferTable buffers, RangeTable ranges, long peer, long context, long data) {
        fi_msg_rma.msg_iov(struct, buffers.entries());
        fi_msg_rma.desc(struct, buffers.descriptors());
        fi_msg_rma.iov_count(struct, buffers.count());
        fi_msg_rma.addr(struct, peer);
        fi_msg_rma.rma_iov(struct, ranges.entries());
        fi_msg_rma.rma_iov_count(struct, ranges.count());
        struct.set(JAVA_LONG, RMA_CONTEXT, context);
        fi_msg_rma.data(struct, data);
    }

    /** {@code struct fi_msg_atomic} */
    static void atomic(MemorySegment struct, BufferTable operands, RangeTable targets, long peer, int type, int op,
            long context, long data) {
        fi_msg_atomic.msg_iov(struct, operands.entries());
        fi_msg_atomic.desc(struct, operands.descriptors());
        fi_msg_atomic.iov_count(struct, operands.count());
        fi_msg_atomic.addr(struct, peer);
        fi_msg_atomic.rma_iov(struct, targets.entries());
        fi_msg_atomic.rma_iov_count(struct, targets.count());
        fi_msg_atomic.datatype(struct, type);
        fi_msg_atomic.op(struct, op);
        struct.set(JAVA_LONG, ATOMIC_CONTEXT, context);
        fi_msg_atomic.data(struct, data);
    }
}
