// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.util.Map;

/** The ways for two Java processes on one host to exchange messages. */
enum Peer {
    JFABRIC_SHM("jfabric-shm", Medium.MEMORY, "jfabric, provider shm", Map.of(),
            meeting -> new FabricLink(FabricConnection.shm(meeting, true), meeting.largest())),
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
    SOCKET_TCP_SPIN("socket-tcp-spin", Medium.TCP, "SocketChannel, busy", Map.of(),
            meeting -> SocketLink.tcp(meeting, false)),
    SOCKET_TCP("socket-tcp", Medium.TCP, "SocketChannel, blocking", Map.of(),
            meeting -> SocketLink.tcp(meeting, true)),
    NETTY_TCP("netty-tcp", Medium.TCP, "Netty epoll, busy", Map.of(), NettyLink::tcp),
    JUCX_TCP("jucx-tcp", Medium.TCP, "JUCX, UCX_TLS=tcp", Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo"),
            JucxLink::new);

    /** What carries the bytes: peers are compared within one. */
    enum Medium {
        MEMORY("same host"),
        TCP("tcp over loopback");

        final String title;

        Medium(String title) {
            this.title = title;
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
        return this == JFABRIC_SHM || this == JFABRIC_TCP;
    }

    /** As of scripts/bench-vs-c. */
    String setting() {
        return isJfabric() ? "tuned" : "default";
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
