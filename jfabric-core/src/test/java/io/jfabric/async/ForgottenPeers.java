// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The same address again and again, as a peer that is closed after each message: see {@link ForgottenPeersTest}. */
final class ForgottenPeers {
    static final int CYCLES = 30;

    private ForgottenPeers() {
    }

    /** Says how many more file descriptors are open than after the first one. */
    public static void main(String[] args) throws Exception {
        Providers.Choice choice = Providers.rdm().filter(one -> one.provider().equals(args[0])).findFirst()
                .orElseThrow();
        try (Nodes nodes = Nodes.open(choice)) {
            cycle(nodes);
            long before = descriptors();
            for (int i = 0; i < CYCLES; i++) {
                cycle(nodes);
            }
            System.out.println("GROWN " + (descriptors() - before));
        }
    }

    private static void cycle(Nodes nodes) throws Exception {
        MemorySegment in = nodes.b.allocate(8);
        CompletableFuture<Received> received = nodes.b.receive(in, 7);
        try (Peer peer = nodes.a.peer(nodes.b.address().bytes())) {
            nodes.a.send(nodes.a.allocate(8), peer, 7).get(20, TimeUnit.SECONDS);
            received.get(20, TimeUnit.SECONDS);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
