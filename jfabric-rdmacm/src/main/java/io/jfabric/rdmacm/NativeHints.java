// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.rdma_addrinfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Hints as C reads them. */
final class NativeHints {
    /** A newer library may have a longer struct. */
    private static final long ROOM = 256;

    private NativeHints() {
    }

    /** {@code struct rdma_addrinfo}, valid until the arena is closed. */
    static MemorySegment of(RdmaHints hints, Arena arena) {
        MemorySegment it = arena.allocate(rdma_addrinfo.sizeof() + ROOM, Long.BYTES);
        rdma_addrinfo.ai_flags(it, (int) hints.flags().bits());
        rdma_addrinfo.ai_family(it, (int) hints.family().code());
        rdma_addrinfo.ai_qp_type(it, (int) hints.qpType().code());
        rdma_addrinfo.ai_port_space(it, (int) hints.portSpace().code());
        hints.source().ifPresent(address -> {
            rdma_addrinfo.ai_src_addr(it, copy(address.bytes(), arena));
            rdma_addrinfo.ai_src_len(it, address.length());
        });
        hints.destination().ifPresent(address -> {
            rdma_addrinfo.ai_dst_addr(it, copy(address.bytes(), arena));
            rdma_addrinfo.ai_dst_len(it, address.length());
        });
        byte[] route = hints.route();
        if (route.length > 0) {
            rdma_addrinfo.ai_route(it, copy(route, arena));
            rdma_addrinfo.ai_route_len(it, route.length);
        }
        byte[] connect = hints.connectData();
        if (connect.length > 0) {
            rdma_addrinfo.ai_connect(it, copy(connect, arena));
            rdma_addrinfo.ai_connect_len(it, connect.length);
        }
        return it;
    }

    private static MemorySegment copy(byte[] bytes, Arena arena) {
        // C may copy a whole sockaddr_storage
        MemorySegment copy = arena.allocate(bytes.length + ROOM, Long.BYTES);
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return copy;
    }
}
