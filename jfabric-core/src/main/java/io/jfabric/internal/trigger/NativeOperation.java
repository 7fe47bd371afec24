// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicTarget;
import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_compare;
import io.jfabric.bindings.fi_msg_fetch;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.bindings.fi_rma_iov;
import io.jfabric.info.MrMode;
import io.jfabric.internal.endpoint.AtomicsImpl;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.LocalRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Writes the structs that describe an operation, for one that is not started at once. */
public final class NativeOperation {
    private final Arena arena;
    private final EndpointImpl endpoint;
    private final String name;

    public NativeOperation(Arena arena, EndpointImpl endpoint, String name) {
        this.arena = arena;
        this.endpoint = endpoint;
        this.name = name;
    }

    public void message(MemorySegment msg, MemorySegment buffer, long peer, long data, long context) {
        fi_msg.msg_iov(msg, iov(buffer, buffer.byteSize()));
        fi_msg.desc(msg, descriptor(buffer));
        fi_msg.iov_count(msg, 1);
        fi_msg.addr(msg, peer);
        fi_msg.context(msg, MemorySegment.ofAddress(context));
        fi_msg.data(msg, data);
    }

    public void tagged(MemorySegment msg, MemorySegment buffer, long peer, long tag, long ignore, long context) {
        fi_msg_tagged.msg_iov(msg, iov(buffer, buffer.byteSize()));
        fi_msg_tagged.desc(msg, descriptor(buffer));
        fi_msg_tagged.iov_count(msg, 1);
        fi_msg_tagged.addr(msg, peer);
        fi_msg_tagged.tag(msg, tag);
        fi_msg_tagged.ignore(msg, ignore);
        fi_msg_tagged.context(msg, MemorySegment.ofAddress(context));
    }

    public void rma(MemorySegment msg, MemorySegment buffer, long peer, long remoteAddress, long key, long context) {
        fi_msg_rma.msg_iov(msg, iov(buffer, buffer.byteSize()));
        fi_msg_rma.desc(msg, descriptor(buffer));
        fi_msg_rma.iov_count(msg, 1);
        fi_msg_rma.addr(msg, peer);
        fi_msg_rma.rma_iov(msg, remote(remoteAddress, buffer.byteSize(), key));
        fi_msg_rma.rma_iov_count(msg, 1);
        fi_msg_rma.context(msg, MemorySegment.ofAddress(context));
    }

    public void atomic(MemorySegment msg, AtomicForm form, MemorySegment operand, AtomicTarget target, long context) {
        long address = endpoint.atomics().target(name, form, operand, target);
        long count = target.count(name, operand);
        fi_msg_atomic.msg_iov(msg, iov(operand, count));
        fi_msg_atomic.desc(msg, descriptor(operand));
        fi_msg_atomic.iov_count(msg, 1);
        fi_msg_atomic.addr(msg, target.destination());
        fi_msg_atomic.rma_iov(msg, remote(address, count, endpoint.state().key(target.region())));
        fi_msg_atomic.rma_iov_count(msg, 1);
        fi_msg_atomic.datatype(msg, (int) target.type().code());
        fi_msg_atomic.op(msg, (int) target.operation().code());
        fi_msg_atomic.context(msg, MemorySegment.ofAddress(context));
    }

    public void fetch(MemorySegment msg, MemorySegment result, AtomicTarget target) {
        AtomicsImpl.aligned(name, result.address(), target.type());
        fi_msg_fetch.msg_iov(msg, iov(result, target.count(name, result)));
        fi_msg_fetch.desc(msg, descriptor(result));
        fi_msg_fetch.iov_count(msg, 1);
    }

    public void compare(MemorySegment msg, MemorySegment comparand, AtomicTarget target) {
        AtomicsImpl.aligned(name, comparand.address(), target.type());
        fi_msg_compare.msg_iov(msg, iov(comparand, target.count(name, comparand)));
        fi_msg_compare.desc(msg, descriptor(comparand));
        fi_msg_compare.iov_count(msg, 1);
    }

    /** A {@code struct iovec} or {@code struct fi_ioc}: an address and a number of bytes or elements. */
    private MemorySegment iov(MemorySegment buffer, long count) {
        return arena.allocateFrom(JAVA_LONG, Buffers.address(name, buffer), count);
    }

    /** A {@code struct fi_rma_iov} or {@code struct fi_rma_ioc}. */
    private MemorySegment remote(long address, long count, long key) {
        MemorySegment remote = fi_rma_iov.allocate(arena);
        fi_rma_iov.addr(remote, address);
        fi_rma_iov.len(remote, count);
        fi_rma_iov.key(remote, key);
        return remote;
    }

    private MemorySegment descriptor(MemorySegment buffer) {
        DomainState domain = endpoint.state();
        if (!domain.requires(MrMode.LOCAL)) {
            return MemorySegment.NULL;
        }
        long known = domain.localRegions().descriptor(buffer.address(), buffer.byteSize());
        if (known == LocalRegions.NONE) {
            throw new IllegalArgumentException(name + ": the provider wants registered memory (FI_MR_LOCAL): register "
                    + "the buffer with the domain first");
        }
        return arena.allocateFrom(JAVA_LONG, known);
    }
}
