// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Nodes that write to another for the first time, which makes peers of them meanwhile. */
public final class FirstMessages {
    private static final int PEERS = 40;

    private FirstMessages() {
    }

    /** So often. */
    public static void main(String[] args) throws InterruptedException {
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            round();
        }
        System.out.println("done");
    }

    private static void round() throws InterruptedException {
        List<Node> others = new ArrayList<>();
        try (Hints hints = Hints.rdm().provider("shm"); Node node = Node.open(hints)) {
            List<Runnable> sends = new ArrayList<>();
            for (int i = 0; i < PEERS; i++) {
                Node other = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                others.add(other);
                Peer peer = other.peer(node.address());
                MemorySegment buffer = other.allocate(8);
                sends.add(() -> other.send(buffer, peer, 5));
            }
            Thread sender = Thread.ofPlatform().start(() -> sends.forEach(Runnable::run));
            // the other way round: so that most are not known yet when their message is read
            others.reversed().forEach(other -> node.peer(other.address()));
            sender.join();
        } finally {
            others.forEach(Node::close);
        }
    }
}
