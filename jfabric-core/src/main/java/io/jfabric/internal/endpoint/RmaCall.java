// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.IoVector;
import io.jfabric.RemoteIoVector;
import io.jfabric.RemoteRegion;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_rma_iov;
import io.jfabric.internal.ffi.RmaOps;
import io.jfabric.internal.post.BufferTable;
import io.jfabric.internal.post.Remote;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The long form of a remote access: {@code fi_readmsg} and {@code fi_writemsg}. Used for flags of an operation's own,
 * for several remote ranges, and where the provider wants descriptors. One per thread, used over and over.
 */
public final class RmaCall extends RemoteCall {
    private static final ThreadLocal<RmaCall> CALLS = ThreadLocal.withInitial(RmaCall::new);
    private static final long RANGE_BYTES = fi_rma_iov.sizeof();

    private final MemorySegment message = Arena.ofAuto().allocate(fi_msg_rma.layout());
    private final BufferTable local = new BufferTable();
    private MemorySegment ranges = Arena.ofAuto().allocate(8 * RANGE_BYTES, 8);
    private int rangeCount;
    private long remoteSize;
    private Object buffers;

    public static RmaCall of(EndpointImpl endpoint, String operation) {
        RmaCall call = CALLS.get();
        call.start(endpoint, operation);
        call.local.clear();
        call.rangeCount = 0;
        call.remoteSize = 0;
        return call;
    }

    public RmaCall remote(RemoteRegion region, long offset, long length) {
        long at = rangeCount * RANGE_BYTES;
        if (at == ranges.byteSize()) {
            ranges = Arena.ofAuto().allocate(2 * ranges.byteSize(), 8).copyFrom(ranges);
        }
        ranges.set(JAVA_LONG, at, Remote.address(region, operation, offset, length));
        ranges.set(JAVA_LONG, at + 8, length);
        ranges.set(JAVA_LONG, at + 16, endpoint.state().key(region));
        remoteSize += length;
        rangeCount++;
        return this;
    }

    public RmaCall remote(RemoteIoVector vector) {
        endpoint.rma().limits().checkRemote(operation, vector.count());
        for (int i = 0; i < vector.count(); i++) {
            remote(vector.region(i), vector.offset(i), vector.length(i));
        }
        return this;
    }

    // Local buffers come last: once one is registered for the operation, nothing may fail before the operation starts.
    public RmaCall local(MemorySegment buffer, long offset, long length) {
        checkSize(length);
        local.add(this, buffer, offset, length, 0);
        buffers = buffer;
        return this;
    }

    public RmaCall local(IoVector vector) {
        checkSize(vector.byteSize());
        endpoint.rma().limits().checkLocal(operation, vector.count());
        local.add(this, vector, 0);
        buffers = vector;
        return this;
    }

    private void checkSize(long length) {
        if (length != remoteSize) {
            throw new IllegalArgumentException(operation + ": the local buffers have " + length
                    + " bytes, but the remote ranges " + remoteSize);
        }
    }

    /** To be called before {@link #local}. */
    public RmaCall checkFlags(long flags) {
        endpoint.rma().limits().checkFlags(operation, remoteSize, flags);
        return this;
    }

    public boolean write(long destination, long data, long context, long flags) {
        long fid = endpoint.handleTo(destination);
        long token = fill(destination, data, context, flags);
        long result = RmaOps.writemsg(fid, message.address(), flags);
        return outcome(result, token);
    }

    public boolean read(long source, long context, long flags) {
        long fid = endpoint.handleTo(source);
        long token = fill(source, 0, context, flags);
        long result = RmaOps.readmsg(fid, message.address(), flags);
        return outcome(result, token);
    }

    private long fill(long peer, long data, long context, long flags) {
        long token = token(context, buffers, flags);
        fi_msg_rma.msg_iov(message, local.entries());
        fi_msg_rma.desc(message, local.descriptors());
        fi_msg_rma.iov_count(message, local.count());
        fi_msg_rma.addr(message, peer);
        fi_msg_rma.rma_iov(message, ranges);
        fi_msg_rma.rma_iov_count(message, rangeCount);
        message.set(JAVA_LONG, fi_msg_rma.context$offset(), token);
        fi_msg_rma.data(message, data);
        return token;
    }
}
