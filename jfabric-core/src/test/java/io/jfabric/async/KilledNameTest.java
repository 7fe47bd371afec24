// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Leftovers;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process is killed and started again with its name, and who knew it has not noticed. */
@Timeout(120)
class KilledNameTest {
    private static final String NAME = "killed-name-" + ProcessHandle.current().pid();
    /** Read from the sender's memory: the new process would look for that by the number that the dead one gave. */
    private static final int BYTES = 20_000;

    @BeforeAll
    static void names() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(Quirks.of("shm").has(Quirk.OVERWRITES_THE_DEAD), "the log warns of it instead");
    }

    @AfterEach
    void removeFiles() throws Exception {
        Leftovers.removeFiles(NAME);
    }

    @Test
    void whatIsSentMeanwhileDoesNotReachIt() throws Exception {
        try (ChildJvm killed = ChildJvm.of(Receiver.class, NAME).start();
                Node node = KeepAliveChild.open("shm", null)) {
            byte[] address = ChildAddress.of(killed);
            Peer peer = node.peer(address);
            send(node, peer).get(20, TimeUnit.SECONDS);
            killed.awaitLine("received"::equals);
            killed.kill();
            try (ChildJvm again = killed.restart()) {
                assertThat(ChildAddress.of(again)).isEqualTo(address);
                assertThat(send(node, peer)).failsWithin(Duration.ofSeconds(20));
                peer.close();
                send(node, node.peer(address)).get(20, TimeUnit.SECONDS);
                again.awaitLine("received"::equals);
                again.tell("end");
                assertThat(again.await().exitCode()).isZero();
            }
        }
    }

    private static CompletableFuture<Void> send(Node node, Peer peer) {
        return node.within(Duration.ofSeconds(5)).send(node.allocate(BYTES), peer, 2);
    }

    /** Receives with the name, and ends with its stdin, or when told. */
    static final class Receiver {
        private Receiver() {
        }

        public static void main(String[] name) throws IOException {
            try (Node node = KeepAliveChild.open("shm", name[0])) {
                receive(node, node.allocate(BYTES));
                ChildAddress.print(node.address().bytes());
                System.in.read();
            }
        }

        private static void receive(Node node, MemorySegment room) {
            node.receive(room, 2).thenAccept(message -> {
                System.out.println("received");
                receive(node, room);
            });
        }
    }
}
