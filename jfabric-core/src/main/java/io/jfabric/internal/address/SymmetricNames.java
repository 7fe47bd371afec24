// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.CText;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Ports;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.AvOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Numbered nodes and services, whose addresses the provider finds out: {@code fi_av_insertsvc} and its twin. */
record SymmetricNames(String node, long nodes, String service, long services) {
    private static final long MOST = 1024;

    SymmetricNames {
        Objects.requireNonNull(node, "fi_av_insertsym: node is null");
        Objects.requireNonNull(service, "fi_av_insertsym: service is null");
        if (nodes < 1 || services < 1) {
            throw new IllegalArgumentException("fi_av_insertsym: nodeCount " + nodes + " and serviceCount " + services
                    + " must be at least 1");
        }
        if (node.isEmpty() || service.isEmpty()) {
            throw new IllegalArgumentException("fi_av_insertsym: node \"" + node + "\" and service \"" + service
                    + "\" must not be empty");
        }
        if (nodes > MOST || services > MOST || nodes * services > MOST) {
            throw new IllegalArgumentException("fi_av_insertsym: " + nodes + " nodes with " + services
                    + " services are more than " + MOST + " addresses; each is resolved while the call lasts, insert "
                    + "them in parts");
        }
    }

    int count() {
        return (int) (nodes * services);
    }

    String operation() {
        return count() == 1 ? "fi_av_insertsvc" : "fi_av_insertsym";
    }

    /** Those that may be inserted into a vector of a domain with this info. */
    static SymmetricNames of(FabricInfoImpl info, String node, long nodes, String service, long services) {
        SymmetricNames names = new SymmetricNames(node, nodes, service, services);
        if (AddressShape.isIp(info.addressFormatCode())) {
            Ports.check(names.operation(), service, services);
        }
        return names;
    }

    /** How many were inserted, or an error. */
    int insert(Arena arena, long av, long results) {
        // libfabric looks for digits from the name's end on, and if all are digits, before its beginning
        long room = ValueLayout.JAVA_LONG.byteSize();
        MemorySegment name = arena.allocate(room + node.getBytes(StandardCharsets.UTF_8).length + 1);
        name.setString(room, CText.checked(operation(), node));
        long n = name.address() + room;
        long s = CText.of(arena, operation(), service).address();
        return count() == 1 ? AvOps.insertsvc(av, n, s, results, 0, 0)
                : AvOps.insertsym(av, n, nodes, s, services, results, 0, 0);
    }

    /** Throws unless so many are all. */
    void checkAll(int inserted) {
        FidObject.check(operation(), inserted, "node " + node + ", service " + service);
        if (inserted < count()) {
            throw FabricException.of(operation(), Errno.EINVAL, "only " + inserted + " of " + count()
                    + " addresses of node " + node + ", service " + service + " could be inserted");
        }
    }
}
