// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process is killed when its answer has been sent, but not received: on shm that is still in its memory then. */
@Timeout(60)
class KilledServiceTest {
    private static final int BYTES = 100_000;

    @Test
    void theCallMayHaveBeenHandled() throws Exception {
        Providers.SHM.assumeOffered();
        try (Node node = Node.open(hints(), NodeOptions.DEFAULT.withCallerProgress());
                ChildJvm child = ChildJvm.of(KilledServiceTest.class).start();
                Caller caller = Caller.open(node.peer(ChildAddress.of(child)), 1)) {
            MemorySegment room = node.allocate(BYTES);
            CompletableFuture<MemorySegment> before = caller.call(node.allocate(1), room);
            drive(node, before);
            assertThat(before.join().byteSize()).as("the next is expected to be as long").isEqualTo(BYTES);
            CompletableFuture<MemorySegment> call = caller.call(node.allocate(2), room);
            child.awaitLine(line -> line.equals("sent"));
            child.kill();
            child.await();
            drive(node, call);
            assertThat(call.exceptionNow()).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ECONNRESET");
            assertThat(Caller.wasNotHandled(call.exceptionNow())).isFalse();
        }
    }

    private static Hints hints() {
        return Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
    }

    private static void drive(Node node, CompletableFuture<?> until) {
        Waits.spin("it is done", () -> {
            node.progress();
            return until.isDone();
        });
    }

    public static void main(String[] args) throws Exception {
        Node node = Node.open(hints());
        Service.open(node, 1, call -> {
            boolean second = call.request().byteSize() == 2;
            call.answer(new byte[BYTES]);
            if (second) {
                Thread.sleep(500);
                System.out.println("sent");
            }
        });
        ChildAddress.print(node.address().bytes());
        new CountDownLatch(1).await();
    }
}
