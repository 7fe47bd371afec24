// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Completion;
import io.jfabric.Datatype;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;

/** An atomic operation with buffers of the program's. */
final class Change extends Transmit {
    private final AtomicForm form;
    private final MemorySegment operand;
    private final MemorySegment comparand;
    private final MemorySegment result;
    private final RemoteRegion region;
    private final long offset;
    private final Datatype type;
    private final AtomicOp op;

    Change(Drive drive, PeerImpl peer, long deadline, AtomicForm form, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, RemoteRegion region, long offset, Datatype type, AtomicOp op) {
        super(drive, peer, deadline);
        this.form = form;
        this.operand = operand;
        this.comparand = comparand;
        this.result = result;
        this.region = region;
        this.offset = offset;
        this.type = type;
        this.op = op;
    }

    @Override
    protected boolean post() {
        return switch (form) {
            case BASE -> endpoint.atomics().apply(operand, to, region, offset, type, op, context);
            case FETCH -> endpoint.atomics().fetchAndApply(operand, result, to, region, offset, type, op, context);
            default -> endpoint.atomics().compareAndApply(operand, comparand, result, to, region, offset, type, op,
                    context);
        };
    }

    @Override
    public void count(Moved moved, Completion completion) {
        // an atomic read may have none
        moved.sent(operand == null ? 0 : operand.byteSize());
        if (form != AtomicForm.BASE) {
            moved.received(result.byteSize());
        }
    }

    @Override
    protected boolean usesRegion() {
        return true;
    }

    @Override
    public String what() {
        return "atomic " + op + " of " + type + " at offset " + offset;
    }
}
