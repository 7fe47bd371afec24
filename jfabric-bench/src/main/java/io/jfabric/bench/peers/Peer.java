// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.util.Map;

/** The ways for two Java processes on one host to exchange messages. */
enum Peer {
    JFABRIC_SHM("jfabric-shm", Medium.MEMORY, "jfabric, provider shm", Map.of(),
            meeting -> new FabricLink(FabricConnection.shm(meeting, true), meeting.largest())),
    JFABRIC_SHM_NODE("jfabric-shm-node", Medium.MEMORY, "jfabric node, futures, provider shm", Map.of(),
            NodeLink::shm),
    JFABRIC_SHM_DEFAULT("jfabric-shm-default", Medium.MEMORY, "jfabric, provider shm, untuned", Map.of(),
            meeting -> new FabricLink(FabricConnection.shm(meeting, false), meeting.largest())),
    AERON_IPC("aeron-ipc", Medium.MEMORY, "Aeron IPC", Map.of(), AeronLink::new),
    JUCX_SHM("jucx-shm", Medium.MEMORY, "JUCX, UCX_TLS=shm", Map.of("UCX_TLS", "shm"), JucxLink::new),
    SOCKET_UNIX_SPIN("socket-unix-spin", Medium.MEMORY, "SocketChannel, Unix domain, busy", Map.of(),
            meeting -> SocketLink.unix(meeting, false)),
    SOCKET_UNIX("socket-unix", Medium.MEMORY, "SocketChannel, Unix domain, blocking", Map.of(),
            meeting -> SocketLink.unix(meeting, true)),
    NETTY_UNIX("netty-unix", Medium.MEMORY, "Netty epoll, Unix domain, busy", Map.of(), NettyLink::unix),
    JFABRIC_TCP("jfabric-tcp", Medium.TCP, "jfabric, provider tcp", Map.of(),
            meeting -> new FabricLink(FabricConnection.tcp(meeting), meeting.largest())),
    JFABRIC_TCP_NODE("jfabric-tcp-node", Medium.TCP, "jfabric node, futures, provider tcp", Map.of(),
            NodeLink::tcp),
    SOCKET_TCP_SPIN("socket-tcp-spin", Medium.TCP, "SocketChannel, busy", Map.of(),
            meeting -> SocketLink.tcp(meeting, false)),
    SOCKET_TCP("socket-tcp", Medium.TCP, "SocketChannel, blocking", Map.of(),
            meeting -> SocketLink.tcp(meeting, true)),
    NETTY_TCP("netty-tcp", Medium.TCP, "Netty epoll, busy", Map.of(), NettyLink::tcp),
    JUCX_TCP("jucx-tcp", Medium.TCP, "JUCX, UCX_TLS=tcp", Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo"),
            JucxLink::new),
    JFABRIC_SHM_CALL("jfabric-shm-call", Medium.MEMORY_CALLS, "jfabric Caller and Service, shm", Map.of(),
            meeting -> new FabricCallLink(meeting, "shm")),
    SOCKET_UNIX_CALL("socket-unix-call", Medium.MEMORY_CALLS, "SocketChannel, Unix domain, busy", Map.of(),
            meeting -> new SocketCallLink(SocketLink.unixChannel(meeting, false), meeting.server(),
                    meeting.largest())),
    NETTY_UNIX_CALL("netty-unix-call", Medium.MEMORY_CALLS, "Netty epoll, Unix domain, busy", Map.of(),
            meeting -> new NettyCallLink(meeting, false)),
    JFABRIC_TCP_CALL("jfabric-tcp-call", Medium.TCP_CALLS, "jfabric Caller and Service, tcp", Map.of(),
            meeting -> new FabricCallLink(meeting, "tcp")),
    JFABRIC_RXM_CALL("jfabric-rxm-call", Medium.TCP_CALLS, "jfabric Caller and Service, tcp;ofi_rxm", Map.of(),
            meeting -> new FabricCallLink(meeting, "rxm")),
    SOCKET_TCP_CALL("socket-tcp-call", Medium.TCP_CALLS, "SocketChannel, busy", Map.of(),
            meeting -> new SocketCallLink(SocketLink.tcpChannel(meeting, false), meeting.server(),
                    meeting.largest())),
    NETTY_TCP_CALL("netty-tcp-call", Medium.TCP_CALLS, "Netty epoll, busy", Map.of(),
            meeting -> new NettyCallLink(meeting, true));

    /** What carries the bytes, and how: peers are compared within one. */
    enum Medium {
        MEMORY("same host"),
        TCP("tcp over loopback"),
        MEMORY_CALLS("same host, request and response"),
        TCP_CALLS("tcp over loopback, request and response");

        final String title;

        Medium(String title) {
            this.title = title;
        }

        /** Whether it is about request and response. */
        boolean isCalls() {
            return this == MEMORY_CALLS || this == TCP_CALLS;
        }
    }

    /** Opens one side. */
    interface Opener {
        Link open(Meeting meeting) throws Exception;
    }

    final String id;
    final Medium medium;
    final String title;
    final Map<String, String> environment;
    final Opener opener;

    Peer(String id, Medium medium, String title, Map<String, String> environment, Opener opener) {
        this.id = id;
        this.medium = medium;
        this.title = title;
        this.environment = environment;
        this.opener = opener;
    }

    boolean isJfabric() {
        return this == JFABRIC_SHM || this == JFABRIC_TCP || this == JFABRIC_SHM_CALL
                || this == JFABRIC_TCP_CALL;
    }

    /** As of scripts/bench-vs-c. */
    String setting() {
        return this == JFABRIC_SHM || this == JFABRIC_TCP ? "tuned" : "default";
    }

    boolean isJucx() {
        return this == JUCX_SHM || this == JUCX_TCP;
    }

    /** So that --only and messages have the name that people write. */
    @Override
    public String toString() {
        return id;
    }
}
