// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.IoVector;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_rma_ioc;
import io.jfabric.internal.ffi.AtomicOps;
import io.jfabric.internal.post.BufferTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The long forms of atomic operations: several buffers, several targets, flags, descriptors. One per thread, used over
 * and over. The target comes first, buffers after it, since registering one must be the last thing that can fail.
 */
public final class AtomicCall extends RemoteCall {
    private static final ThreadLocal<AtomicCall> CALLS = ThreadLocal.withInitial(AtomicCall::new);
    private static final long TARGET_BYTES = fi_rma_ioc.sizeof();

    private final MemorySegment message = Arena.ofAuto().allocate(fi_msg_atomic.layout());
    private final BufferTable operands = new BufferTable();
    private final BufferTable comparands = new BufferTable();
    private final BufferTable results = new BufferTable();
    private MemorySegment targets = Arena.ofAuto().allocate(8 * TARGET_BYTES, 8);
    private int targetCount;
    private long size;
    private AtomicForm form;
    private Datatype type;
    private AtomicOp op;

    public static AtomicCall of(EndpointImpl endpoint, String operation, AtomicForm form, Datatype type, AtomicOp op) {
        AtomicCall call = CALLS.get();
        call.start(endpoint, operation);
        call.operands.clear();
        call.comparands.clear();
        call.results.clear();
        call.targetCount = 0;
        call.size = 0;
        call.form = form;
        call.type = type;
        call.op = op;
        return call;
    }

    /** A target whose range has been checked. */
    public AtomicCall target(long address, long length, long key) {
        long at = targetCount * TARGET_BYTES;
        if (at == targets.byteSize()) {
            targets = Arena.ofAuto().allocate(2 * targets.byteSize(), 8).copyFrom(targets);
        }
        targets.set(JAVA_LONG, at, address);
        targets.set(JAVA_LONG, at + 8, length >>> type.shift());
        targets.set(JAVA_LONG, at + 16, key);
        size += length;
        targetCount++;
        return this;
    }

    /** Checks that buffers of this size fit the targets. */
    public AtomicCall check(String which, long byteSize) {
        if (byteSize != size) {
            throw new IllegalArgumentException(operation + ": the " + which + " has " + byteSize
                    + " bytes, but the target " + size);
        }
        return this;
    }

    public AtomicCall operand(MemorySegment buffer) {
        operands.add(this, buffer, 0, buffer.byteSize(), type.shift());
        return this;
    }

    public AtomicCall operand(IoVector buffers) {
        operands.add(this, buffers, type.shift());
        return this;
    }

    public AtomicCall comparand(MemorySegment buffer) {
        comparands.add(this, buffer, 0, buffer.byteSize(), type.shift());
        return this;
    }

    public AtomicCall comparand(IoVector buffers) {
        comparands.add(this, buffers, type.shift());
        return this;
    }

    public AtomicCall result(MemorySegment buffer) {
        results.add(this, buffer, 0, buffer.byteSize(), type.shift());
        return this;
    }

    public AtomicCall result(IoVector buffers) {
        results.add(this, buffers, type.shift());
        return this;
    }

    private boolean fetches() {
        return form != AtomicForm.BASE;
    }

    /** The vector form: one target, the endpoint's flags. */
    public boolean run(long destination, Object buffers, long context) {
        long fid = fetches() ? endpoint.handleToUnseen(destination) : endpoint.handleTo(destination);
        if (fetches() && !endpoint.mayFetch(operation, destination)) {
            return false;
        }
        long token = token(context, buffers, endpoint.transmitFlags());
        long ioc = operands.entries().address();
        long desc = operands.descriptors().address();
        long address = targets.get(JAVA_LONG, 0);
        long key = targets.get(JAVA_LONG, 16);
        int t = (int) type.code();
        int o = (int) op.code();
        return outcome(switch (form) {
            case FETCH -> AtomicOps.readwritev(fid, ioc, desc, operands.count(), results.entries().address(),
                    results.descriptors().address(), results.count(), destination, address, key, t, o, token);
            case COMPARE -> AtomicOps.compwritev(fid, ioc, desc, operands.count(), comparands.entries().address(),
                    comparands.descriptors().address(), comparands.count(), results.entries().address(),
                    results.descriptors().address(), results.count(), destination, address, key, t, o, token);
            default -> AtomicOps.writev(fid, ioc, desc, operands.count(), destination, address, key, t, o, token);
        }, token);
    }

    /** The message form: any number of targets, flags of its own. */
    public boolean run(long destination, Object buffers, long data, long context, long flags) {
        long fid = fetches() ? endpoint.handleToUnseen(destination) : endpoint.handleTo(destination);
        if (fetches() && !endpoint.mayFetch(operation, destination)) {
            return false;
        }
        long token = token(context, buffers, flags);
        fi_msg_atomic.msg_iov(message, operands.entries());
        fi_msg_atomic.desc(message, operands.descriptors());
        fi_msg_atomic.iov_count(message, operands.count());
        fi_msg_atomic.addr(message, destination);
        fi_msg_atomic.rma_iov(message, targets);
        fi_msg_atomic.rma_iov_count(message, targetCount);
        fi_msg_atomic.datatype(message, (int) type.code());
        fi_msg_atomic.op(message, (int) op.code());
        message.set(JAVA_LONG, fi_msg_atomic.context$offset(), token);
        fi_msg_atomic.data(message, data);
        long address = message.address();
        return outcome(switch (form) {
            case FETCH -> AtomicOps.readwritemsg(fid, address, results.entries().address(),
                    results.descriptors().address(), results.count(), flags);
            case COMPARE -> AtomicOps.compwritemsg(fid, address, comparands.entries().address(),
                    comparands.descriptors().address(), comparands.count(), results.entries().address(),
                    results.descriptors().address(), results.count(), flags);
            default -> AtomicOps.writemsg(fid, address, flags);
        }, token);
    }
}
