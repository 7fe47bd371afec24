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
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process of shm that ends, however it does, and is started again with its name is a new peer to who knew it. */
@Timeout(150)
@Tag("long")
class NameAgainTest {
    private static final String NAME = "name-again-" + ProcessHandle.current().pid();
    private static final int TIMES = 3;
    private static final int BYTES = 20_000;
    /** In milliseconds: a JVM that has just begun, beside other tests, may take a quarter of a second to answer. */
    private static final String SILENCE = "1000";

    @BeforeAll
    static void names() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(!Quirks.of("shm").has(Quirk.RETURNS_TO_NAMES), "this release cannot");
    }

    @AfterEach
    void removeFiles() throws Exception {
        Leftovers.removeFiles(NAME);
    }

    @Test
    void oneThatClosedItsNodeIsReachedAgain() throws Exception {
        eachIsReached(child -> child.tell("end"));
    }

    @Test
    void oneThatWasTerminatedIsReachedAgain() throws Exception {
        eachIsReached(ChildJvm::terminate);
    }

    @Test
    void oneThatWasKilledIsReachedAgain() throws Exception {
        eachIsReached(ChildJvm::kill);
    }

    private static void eachIsReached(Consumer<ChildJvm> end) throws Exception {
        byte[] address = null;
        try (Node node = KeepAliveChild.open("shm", null);
                KeepAlive alive = KeepAlive.open(node)) {
            for (int i = 0; i < TIMES; i++) {
                try (ChildJvm child = ChildJvm.of(KeepAliveChild.class, "shm", SILENCE, NAME).start()) {
                    byte[] its = ChildAddress.of(child);
                    assertThat(address == null ? its : address).isEqualTo(its);
                    address = its;
                    Peer peer = node.peer(address);
                    CompletableFuture<Void> watch = alive.watch(peer);
                    try (Caller caller = Caller.open(peer, 1)) {
                        assertThat(caller.call(new byte[BYTES], Duration.ofSeconds(20)).get(30, TimeUnit.SECONDS))
                                .as("process %d of that name", i + 1).hasSize(BYTES);
                    }
                    end.accept(child);
                    child.await();
                    assertThat(watch).as("the end of process %d", i + 1).failsWithin(Duration.ofSeconds(20));
                }
            }
        }
    }
}
