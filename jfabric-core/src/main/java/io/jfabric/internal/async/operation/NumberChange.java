// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.AtomicOp;
import io.jfabric.Completion;
import io.jfabric.Datatype;
import io.jfabric.Endpoint;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.ValueLayout;

/** Adds to, or compares and replaces, one 64-bit number; with buffers of the node's own. */
final class NumberChange extends Operation<Long> {
    private final Endpoint endpoint;
    private final long to;
    private final Scratch scratch;
    private final AtomicOp op;
    private final RemoteRegion region;
    private final long offset;
    private final long operand;
    private final long expected;
    private Scratch.Cell cell;

    NumberChange(Drive drive, PeerImpl peer, long deadline, Scratch scratch, AtomicOp op, RemoteRegion region,
            long offset, long operand, long expected) {
        super(drive, peer.transmits(), peer, deadline);
        this.endpoint = peer.endpoint();
        this.to = peer.fabricAddress();
        this.scratch = scratch;
        this.op = op;
        this.region = region;
        this.offset = offset;
        this.operand = operand;
        this.expected = expected;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    protected boolean post() {
        cell = scratch.take();
        cell.operand.set(ValueLayout.JAVA_LONG, 0, operand);
        cell.comparand.set(ValueLayout.JAVA_LONG, 0, expected);
        boolean taken = false;
        try {
            taken = apply();
            return taken;
        } finally {
            if (!taken) {
                // the provider has not seen the buffers, and may never: what waits may be given up
                giveBack();
            }
        }
    }

    private void giveBack() {
        scratch.give(cell);
        cell = null;
    }

    private boolean apply() {
        return op == AtomicOp.CSWAP
                ? endpoint.atomics().compareAndApply(cell.operand, cell.comparand, cell.result, to, region, offset,
                        Datatype.INT64, op, context)
                : endpoint.atomics().fetchAndApply(cell.operand, cell.result, to, region, offset,
                        Datatype.INT64, op, context);
    }

    @Override
    protected Long result(Completion completion) {
        long before = cell.result.get(ValueLayout.JAVA_LONG, 0);
        giveBack();
        return before;
    }

    @Override
    protected void letGo() {
        giveBack();
    }

    @Override
    public void count(Moved moved, Completion completion) {
        moved.sent(Long.BYTES);
        moved.received(Long.BYTES);
    }

    @Override
    protected boolean usesRegion() {
        return true;
    }

    @Override
    public String what() {
        return (op == AtomicOp.CSWAP ? "compareAndSwap" : "fetchAndAdd") + " at offset " + offset;
    }
}
