// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.rdma_addrinfo;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list in C's memory: read and freed under one lock, freed once. */
final class AddressChain implements Runnable {
    private final RdmaLibrary library;
    private long first;

    AddressChain(RdmaLibrary library, long first) {
        this.library = library;
        this.first = first;
    }

    /** Copies of all entries; null if the list has been freed. */
    synchronized @Nullable List<RdmaAddress> read() {
        if (first == 0) {
            return null;
        }
        List<RdmaAddress> entries = new ArrayList<>();
        for (MemorySegment at = entry(MemorySegment.ofAddress(first)); at != null; at = next(at)) {
            entries.add(new RdmaAddress(new RdmaAddress.RawAddress(rdma_addrinfo.ai_flags(at),
                    rdma_addrinfo.ai_family(at), rdma_addrinfo.ai_qp_type(at), rdma_addrinfo.ai_port_space(at),
                    address(rdma_addrinfo.ai_src_addr(at), rdma_addrinfo.ai_src_len(at)),
                    address(rdma_addrinfo.ai_dst_addr(at), rdma_addrinfo.ai_dst_len(at)),
                    RdmaLibrary.string(rdma_addrinfo.ai_src_canonname(at).address()),
                    RdmaLibrary.string(rdma_addrinfo.ai_dst_canonname(at).address()),
                    bytes(rdma_addrinfo.ai_route(at), rdma_addrinfo.ai_route_len(at)),
                    bytes(rdma_addrinfo.ai_connect(at), rdma_addrinfo.ai_connect_len(at)))));
        }
        return List.copyOf(entries);
    }

    synchronized boolean isFreed() {
        return first == 0;
    }

    /** Frees the list, unless that has happened. */
    @Override
    public synchronized void run() {
        long list = first;
        first = 0;
        if (list != 0) {
            library.free(list);
        }
    }

    private static @Nullable MemorySegment next(MemorySegment at) {
        MemorySegment next = rdma_addrinfo.ai_next(at);
        return next.address() == 0 ? null : entry(next);
    }

    private static MemorySegment entry(MemorySegment at) {
        return at.reinterpret(rdma_addrinfo.sizeof());
    }

    private static byte[] bytes(MemorySegment at, long length) {
        return at.address() == 0 || length == 0 ? new byte[0]
                : at.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static @Nullable Address address(MemorySegment at, int length) {
        byte[] bytes = bytes(at, Integer.toUnsignedLong(length));
        if (bytes.length < Short.BYTES) {
            return null;
        }
        AddressFormat format = switch (RdmaFamily.ofCode(
                MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_SHORT_UNALIGNED, 0))) {
            case INET -> AddressFormat.SOCKADDR_IN;
            case INET6 -> AddressFormat.SOCKADDR_IN6;
            case IB -> AddressFormat.SOCKADDR_IB;
            default -> AddressFormat.SOCKADDR;
        };
        return Address.of(format, bytes);
    }
}
