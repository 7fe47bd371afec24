// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.EscapeHatch;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_fid_var;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.CText;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ops.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/** {@link EscapeHatch}. Keeps the user's memory reachable during each call, as only its address is passed on. */
public final class EscapeHatchImpl implements EscapeHatch {
    private final FidObject object;

    EscapeHatchImpl(FidObject object) {
        this.object = object;
    }

    @Override
    public int control(int command, MemorySegment argument) {
        long address = argument == null ? 0 : Buffers.address("fi_control", argument);
        try {
            int result = object.call(fid -> FidOps.control(fid, command, address));
            Results.check("fi_control(" + command + ")", result, object.kind());
            return result;
        } finally {
            Reference.reachabilityFence(argument);
        }
    }

    @Override
    public long fidFlags() {
        return flags(object, "FI_GETFIDFLAG", Libfabric.FI_GETFIDFLAG(), 0);
    }

    @Override
    public void setFidFlags(long flags) {
        flags(object, "FI_SETFIDFLAG", Libfabric.FI_SETFIDFLAG(), flags);
    }

    @Override
    public void getValue(int name, MemorySegment value) {
        value("fi_get_val", Libfabric.FI_GET_VAL(), name, Buffers.writable("fi_get_val", value), value);
    }

    @Override
    public void setValue(int name, MemorySegment value) {
        value("fi_set_val", Libfabric.FI_SET_VAL(), name, Buffers.address("fi_set_val", value), value);
    }

    private void value(String operation, int command, int name, long value, MemorySegment memory) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment variable = Structs.allocate(arena, fi_fid_var.layout());
            fi_fid_var.name(variable, name);
            fi_fid_var.val(variable, MemorySegment.ofAddress(value));
            int result = object.call(fid -> FidOps.control(fid, command, variable.address()));
            Results.check(operation, result, object.kind() + ", variable " + name);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    @Override
    public long openOps(String name, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            long text = CText.of(arena, "fi_open_ops", name).address();
            int code = object.call(fid -> FidOps.openOps(fid, text, flags, result.address(), 0));
            Results.check("fi_open_ops", code, object.kind() + ", " + name);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    @Override
    public void setOps(String name, long flags, MemorySegment ops) {
        long table = Buffers.address("fi_set_ops", ops);
        try (Arena arena = Arena.ofConfined()) {
            long text = CText.of(arena, "fi_set_ops", name).address();
            int code = object.call(fid -> FidOps.setOps(fid, text, flags, table, 0));
            Results.check("fi_set_ops", code, object.kind() + ", " + name);
        } finally {
            Reference.reachabilityFence(ops);
        }
    }

    /** A command that takes or gives flags. */
    public static long flags(FidObject object, String name, int command, long flags) {
        String operation = "fi_control(" + name + ")";
        return object.call(address -> {
            if (object.refusesControl()) {
                throw FabricException.of(operation, Errno.ENOSYS, object.kind());
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, flags);
                Results.check(operation, FidOps.control(address, command, value.address()), object.kind());
                return value.get(ValueLayout.JAVA_LONG, 0);
            }
        });
    }
}
