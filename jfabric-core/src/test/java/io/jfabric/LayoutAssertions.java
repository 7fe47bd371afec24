// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

/**
 * Writes a C program that a compiler accepts only if the generated layouts and constants are right for its processor:
 * for scripts/check-layouts, which has no machine of that kind to run it on.
 */
public final class LayoutAssertions {
    private static final String RDMACM = "io.jfabric.bindings.rdmacm.";
    private static final List<String> RDMACM_STRUCTS = List.of("rdma_addrinfo", "sockaddr_ib", "ibv_path_data",
            "ibv_path_record");

    private LayoutAssertions() {
    }

    /** Prints the program. The headers are to be those that the bindings were generated from. */
    public static void main(String[] args) throws Exception {
        System.out.println("#define _GNU_SOURCE\n#include <stddef.h>\n#include <netdb.h>\n#include <sys/socket.h>\n"
                + "#define container_of(p, type, field) ((type *) ((char *) (p) - offsetof(type, field)))");
        StructLayoutTest.HEADERS.forEach(header -> System.out.println("#include <rdma/" + header + ".h>"));
        System.out.println("#include <infiniband/ib.h>\n#include <rdma/rdma_cma.h>");
        check("sizeof(void *) == 8 && sizeof(long) == 8 && sizeof(size_t) == 8", "64 bits");
        check("sizeof(int) == 4 && sizeof(enum fi_av_type) == 4 && sizeof(socklen_t) == 4", "int");
        check("__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__", "little-endian");
        for (Map.Entry<String, GroupLayout> struct : StructLayoutTest.structs().entrySet()) {
            struct(struct.getKey(), struct.getValue());
        }
        for (String name : RDMACM_STRUCTS) {
            struct(name, (GroupLayout) Class.forName(RDMACM + name).getMethod("layout").invoke(null));
        }
        constants(Libfabric.class);
        constants(Class.forName(RDMACM + "RdmaCm"));
    }

    private static void struct(String name, GroupLayout layout) {
        check("sizeof(struct " + name + ") == " + layout.byteSize(), name);
        check("_Alignof(struct " + name + ") == " + layout.byteAlignment(), name);
        for (StructLayoutTest.Field field : StructLayoutTest.fields(name, layout)) {
            String member = field.path().substring(name.length() + 1);
            check("offsetof(struct " + name + ", " + member + ") == " + field.offset(), field.path());
            if (field.size() != 0) {
                check("sizeof(((struct " + name + " *) 0)->" + member + ") == " + field.size(), field.path());
            }
        }
    }

    private static void constants(Class<?> bindings) throws ReflectiveOperationException {
        for (Method method : bindings.getMethods()) {
            String name = method.getName();
            if (method.getParameterCount() != 0 || !name.matches("[A-Z][A-Z0-9]*_.*")
                    || MemoryLayout.class.isAssignableFrom(method.getReturnType())
                    || method.getReturnType() == MemorySegment.class || StructLayoutTest.CHANGING.contains(name)) {
                continue;
            }
            // of rdma-core 60
            boolean newer = name.equals("RAI_SA") || name.equals("RAI_DNS");
            System.out.print(newer ? "#ifdef " + name + "\n" : "");
            long value = ((Number) method.invoke(null)).longValue();
            check("(long long) " + (method.getReturnType() == int.class ? "(int) " : "") + "(" + name + ") == "
                    + (value == Long.MIN_VALUE ? "-9223372036854775807LL - 1" : value + "LL"), name);
            System.out.print(newer ? "#endif\n" : "");
        }
    }

    private static void check(String condition, String what) {
        System.out.println("_Static_assert(" + condition + ", \"" + what + "\");");
    }
}
