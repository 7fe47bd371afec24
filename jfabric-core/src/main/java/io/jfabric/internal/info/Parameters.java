// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.FabricException;
import io.jfabric.bindings.fi_param;
import io.jfabric.info.Parameter;
import io.jfabric.internal.ffi.Environment;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.library.NativeLibrary;
import io.jfabric.internal.library.Variables;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code fi_getparams}, and the C library's environment behind it. */
public final class Parameters {
    private Parameters() {
    }

    public static List<Parameter> read() {
        NativeLibrary.require();
        InfoQuery.start();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            int result = Variables.unchanged(() -> Exports.getparams(list.address(), count.address()));
            if (result != 0) {
                throw FabricException.of("fi_getparams", result, null);
            }
            long first = list.get(ValueLayout.JAVA_LONG, 0);
            try {
                List<Parameter> parameters = new ArrayList<>();
                for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
                    Parameter parameter = read(first + i * fi_param.sizeof());
                    if (!Variables.isOurs(parameter.help())) {
                        parameters.add(parameter);
                    }
                }
                return List.copyOf(parameters);
            } finally {
                Exports.freeparams(first);
            }
        }
    }

    private static Parameter read(long param) {
        int type = Memory.getInt(param + fi_param.type$offset());
        Parameter.Type[] types = Parameter.Type.values();
        return new Parameter(
                Memory.string(Memory.getLong(param + fi_param.name$offset())),
                type >= 0 && type < types.length ? types[type] : Parameter.Type.UNRECOGNIZED,
                Memory.string(Memory.getLong(param + fi_param.help_string$offset())),
                Optional.ofNullable(Memory.string(Memory.getLong(param + fi_param.value$offset()))));
    }

    public static void set(String name, String value) {
        NativeLibrary.require();
        if (!name.startsWith("FI_")) {
            throw new IllegalArgumentException("name: libfabric's parameters start with FI_, not \"" + name + '"');
        }
        if (name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("name: \"" + name + "\" is not a variable's name; give what follows = "
                    + "as the value");
        }
        if (value != null && value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("value: of " + name + " has a NUL character in it");
        }
        if (InfoQuery.started()) {
            throw new IllegalStateException("setParameter(" + name + "): libfabric has already read its parameters; "
                    + "set them before the first getInfo, providers or parameters call");
        }
        Environment.set(name, value);
    }
}
