// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Received;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said about a thread that stands still: {@link io.jfabric.async.HeldUpTest} has one that does. */
@Timeout(30)
class StandstillTest {
    private static final String THIS = StandstillTest.class.getName();
    private static final String BUSY = "is the machine too busy";
    private static final String BEGUN = "in an operation of jfabric that the callback began";

    @Test
    void theProgramIsBlamedOnlyForItsOwnCode() {
        Providers.RXM.assumeOffered();
        assertThat(Standstill.advice(Thread.currentThread().getStackTrace())).contains("must not block")
                .doesNotContain(BUSY);
        try (Hints hints = Hints.rdm().provider("tcp"); Node node = Node.open(hints)) {
            String address = node.address().toString();
            Thread engine = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().contains(address)).findFirst().orElseThrow();
            StackTraceElement[] stack = engine.getStackTrace();
            assertThat(Standstill.advice(stack)).as(() -> Arrays.toString(stack)).contains(BUSY)
                    .doesNotContain("must not block");
        }
    }

    /** A callback hangs in what it began, as that waits for a lock of another thread: no mistake of the program's. */
    @Test
    void theProgramMayBeginWhatItLikes() throws Exception {
        Providers.SHM.assumeOffered();
        try (Hints hints = Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node node = Node.open(hints, NodeOptions.DEFAULT.withPeerLimit(1))) {
            PeerImpl peer = (PeerImpl) node.peer(deaf.address());
            // so long that it is not done before it is received, and all others wait
            MemorySegment memory = node.allocate(1 << 20);
            while (peer.waiting() < 10) {
                node.send(memory, peer, 1);
            }
            Thread sends;
            synchronized (peer.transmits()) {
                sends = Thread.ofPlatform().start(() -> node.send(memory, peer, 1));
                // for the lane, or for what the engine keeps while that waits for the lane
                Waits.until("it waits", () -> isAt(sends, "send") && (sends.getState() == Thread.State.BLOCKED
                        || sends.getState() == Thread.State.WAITING));
                assertThat(Standstill.advice(stack(sends))).contains(BEGUN, BUSY)
                        .doesNotContain("must not block");
            }
            sends.join();
            CompletableFuture<Received> never = node.receive(memory, 2);
            Thread waits = Thread.ofPlatform().start(() -> never.handle((received, why) -> why).join());
            // parked, or making progress meanwhile
            Waits.until("it waits", () -> isAt(waits, "join"));
            assertThat(Standstill.advice(stack(waits))).contains("must not block").doesNotContain(BEGUN);
            never.cancel(false);
            waits.join();
        }
    }

    /** With this class as one of a program. */
    private static StackTraceElement[] stack(Thread thread) {
        return Stream.of(thread.getStackTrace()).map(frame -> frame.getClassName().startsWith(THIS)
                ? new StackTraceElement("app.Program", frame.getMethodName(), null, -1) : frame)
                .toArray(StackTraceElement[]::new);
    }

    private static boolean isAt(Thread thread, String method) {
        return Stream.of(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method));
    }
}
