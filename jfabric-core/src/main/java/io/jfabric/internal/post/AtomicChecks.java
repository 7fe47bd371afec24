// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.quirk.Quirk;

/** The checks of every atomic operation, as providers trust the caller here. */
public final class AtomicChecks {
    private AtomicChecks() {
    }

    /** Checks the target of an operation; returns the address to give to the provider. */
    public static long target(EndpointState state, String operation, AtomicForm form, Datatype type, AtomicOp op,
            long size, RemoteRegion region, long offset) {
        count(state, operation, form, type, op, size);
        long remote = Remote.address(region, operation, offset, size);
        aligned(operation, remote, type);
        return remote;
    }

    public static void count(EndpointState state, String operation, AtomicForm form, Datatype type, AtomicOp op,
            long size) {
        long limit = state.atomicSupport().limit(operation, form, type, op);
        long count = size >>> Elements.shift(type);
        if (count == 0 || count > limit || count << Elements.shift(type) != size) {
            throw new IllegalArgumentException(operation + ": " + size + " bytes are not 1 to " + limit
                    + " elements of " + type + ", which has " + type.byteSize());
        }
    }

    public static void aligned(String operation, long address, Datatype type) {
        if ((address & type.byteAlignment() - 1) != 0) {
            throw new IllegalArgumentException(operation + ": buffers and targets of " + type
                    + " must be at multiples of " + type.byteAlignment() + " bytes");
        }
    }

    /** Only for endpoints whose buffers need descriptors, or whose fetches need a guard: others never have to ask. */
    public static void mayInject(EndpointState state) {
        if (state.domain().quirks().has(Quirk.INJECTED_ATOMICS_GO_ASTRAY)) {
            throw FabricException.of("fi_inject_atomic", Errno.EOPNOTSUPP, "provider " + state.info().provider()
                    + " sends injected atomics to another peer, or never: use apply, and keep the operands until it "
                    + "completes");
        }
    }

    /** Providers count the elements of each buffer on its own; one of a complex type might begin within an element. */
    public static void whole(String operation, long size, Datatype type) {
        if ((size & type.byteSize() - 1) != 0) {
            throw new IllegalArgumentException(operation + ": a buffer of " + size + " bytes ends within an element of "
                    + type + ", which has " + type.byteSize() + "; give each buffer whole ones");
        }
    }

    public static void same(String operation, String which, long size, long operandSize) {
        if (size != operandSize) {
            throw new IllegalArgumentException(operation + ": the " + which + " has " + size
                    + " bytes, but the operand " + operandSize);
        }
    }
}
