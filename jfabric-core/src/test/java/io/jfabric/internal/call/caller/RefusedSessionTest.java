// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Refusal;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service, made by hand, that takes a caller and does not know it any more when that calls. */
@Timeout(60)
class RefusedSessionTest {
    private static final int WINDOW = 2;
    private static final Duration FOREVER = Duration.ofDays(40_000);

    /** Accepts the first hello, refuses all others, and answers nothing. */
    private static final class Forgetful extends ServiceByHand {
        private volatile boolean hasAccepted;
        private volatile int hellos;

        Forgetful(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            Greeting greeting = Frame.type(frame) == Frame.CONNECT ? read(frame, length) : null;
            if (greeting == null) {
                return null;
            }
            hellos++;
            if (hasAccepted) {
                PooledBuffer out = hub().take();
                Refusal refusal = new Refusal(greeting.hello(), greeting.key(), false, "it is full");
                send(out, refusal.write(out.segment()), greeting);
            } else {
                hasAccepted = true;
                accept(greeting, greeting.hello(), 1, WINDOW, 1 << 20);
            }
            return null;
        }
    }

    private static NodePair open() {
        return NodePair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
    }

    /** What was under way was perhaps done, what waited was not. */
    @Test
    void callsOfASessionThatIsForgottenEnd() {
        try (NodePair nodes = open()) {
            Forgetful service = new Forgetful(nodes.b);
            service.join();
            try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER,
                    CallerOptions.DEFAULT.withWindow(WINDOW))) {
                CompletableFuture<byte[]> first = caller.call(new byte[1], FOREVER);
                CompletableFuture<byte[]> second = caller.call(new byte[1], FOREVER);
                CompletableFuture<byte[]> waits = caller.call(new byte[1], FOREVER);
                fails(first, FabricError.ECONNRESET);
                fails(second, FabricError.ECONNRESET);
                fails(waits, FabricError.ECONNREFUSED);
                fails(caller.call(new byte[1], FOREVER), FabricError.ECONNREFUSED);
            }
        }
    }

    /** It has no call, so there is no hurry; with one it hears soon that it is refused. */
    @Test
    @Tag("long")
    void refusedCallersAreQuiet() {
        try (NodePair nodes = open()) {
            Forgetful service = new Forgetful(nodes.b);
            service.hasAccepted = true;
            service.join();
            long start = System.nanoTime();
            try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER)) {
                Waits.until("the pauses are long", () -> service.hellos > 20 || seconds(start) > 4);
                // after 0, 100, 300, 700, 1,500 and 3,100 milliseconds, and one more that was lost
                assertThat(service.hellos).isBetween(4, 7);
                long asked = System.nanoTime();
                fails(caller.call(new byte[1], FOREVER), FabricError.ECONNREFUSED);
                assertThat(seconds(asked)).isLessThan(1);
            }
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static void fails(CompletableFuture<byte[]> call, FabricError error) {
        assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS)).hasMessageContaining("it is full");
        assertThat(((FabricException) call.exceptionNow()).error()).isEqualTo(error);
    }
}
