// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.Fabric;
import io.jfabric.async.IdleStrategy;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** jfabric's everyday layer: a future for each send and each receive, and the measuring thread makes the progress. */
final class NodeLink extends SlottedLink {
    private static final String LOOPBACK = "127.0.0.1";

    private final Node node;
    private final Peer peer;
    private final boolean isConnection;
    private final MemorySegment out;
    private final MemorySegment in;

    private NodeLink(Node node, Peer peer, boolean isConnection, int largest) {
        this.node = node;
        this.peer = peer;
        this.isConnection = isConnection;
        out = node.allocate(capacity(largest)).fill((byte) 1);
        in = node.allocate(capacity(largest)).fill((byte) 1);
    }

    /** Shared memory: datagrams that arrive, in order. */
    static NodeLink shm(Meeting meeting) throws IOException {
        Node node = open("shm", Capability.MSG);
        return new NodeLink(node, meet(node, meeting), false, meeting.largest());
    }

    /** TCP: a connection, as the sockets have. */
    static NodeLink tcp(Meeting meeting) throws IOException {
        if (!meeting.server()) {
            Node node = connections(Integer.toString(meeting.port(0)), Set.of());
            Address server = node.info().destinationAddress().orElseThrow();
            return new NodeLink(node, node.connect(server).join(), true, meeting.largest());
        }
        Node node = connections(null, Set.of(GetInfoFlag.SOURCE));
        try (NodeListener listener = node.listen()) {
            meeting.port(listener.address().toInetSocketAddress().getPort());
            return new NodeLink(node, listener.next().join().accept().join(), true, meeting.largest());
        }
    }

    private static Node connections(String port, Set<GetInfoFlag> flags) {
        try (Hints hints = Hints.empty().capabilities(Capability.MSG).endpointType(EndpointType.MSG).provider("tcp");
                FabricInfoList infos = Fabric.getInfo(LOOPBACK, port, flags, hints)) {
            return Node.open(infos.first(), options());
        }
    }

    /** The thread that measures makes the progress, and never sleeps. */
    private static NodeOptions options() {
        return NodeOptions.DEFAULT.withCallerProgress().withIdle(IdleStrategy.busy());
    }

    static Node open(String provider, Capability... capabilities) {
        try (Hints hints = Hints.rdm().provider(provider).capabilities(capabilities)) {
            return Node.open(hints, options());
        }
    }

    static Peer meet(Node node, Meeting meeting) throws IOException {
        return node.peer(meeting.exchange(node.address().bytes()));
    }

    @Override
    protected void receive(int slot, int bytes) {
        MemorySegment room = in.asSlice(offset(slot, bytes), bytes);
        CompletableFuture<Received> future = isConnection ? node.receive(room, peer) : node.receive(room);
        future.whenComplete((received, failure) -> {
            check(failure);
            arrived(room.get(ValueLayout.JAVA_LONG, 0));
        });
    }

    @Override
    void send(int bytes) {
        long offset = sendOffset(bytes);
        out.set(ValueLayout.JAVA_LONG, offset, next());
        started();
        node.send(out, offset, bytes, peer).whenComplete((nothing, failure) -> {
            check(failure);
            sending--;
        });
    }

    private static void check(Throwable failure) {
        if (failure != null) {
            failure.printStackTrace();
            // nobody would see what a callback throws
            Runtime.getRuntime().halt(1);
        }
    }

    @Override
    void progress() {
        node.progress();
    }

    @Override
    public void close() {
        node.close();
    }
}
