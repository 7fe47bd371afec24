// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that a service, made by hand, sends to calls that were given up: they are received, and kept by nobody. */
@Timeout(60)
class DiscardedAnswersTest {
    private static final int LONG = 1 << 20;
    /** Later than the test. */
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** Of shm a long message that nobody receives is over at once, since libfabric 2. */
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    private interface Play {
        void play(SilentService service, Caller caller, Node a, MemorySegment answer) throws Exception;
    }

    private static void play(Providers.Choice choice, Play play) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            SilentService service = new SilentService(b, LONG);
            service.join();
            try (Caller caller = Caller.open(a.peer(b.address()), ServiceByHand.NUMBER)) {
                play.play(service, caller, a, b.allocate(LONG));
            }
        }
    }

    /** Asks for the answer to the next call; where the caller receives it. */
    private static long asks(SilentService service) throws Exception {
        RawHeader call = service.next();
        service.says(Frame.ANSWER_LARGE, call.id(), LONG, 77);
        RawHeader go = service.next();
        assertThat(go).isEqualTo(new RawHeader(RawHeader.first(Frame.GO), 1, 1, call.id(), LONG, go.time(), 77));
        return go.time();
    }

    private static void giveUp(Caller caller, CompletableFuture<?> call) {
        call.cancel(false);
        Waits.until("nothing is under way", () -> caller.underWay() == 0);
    }

    /** Into a block. */
    @ParameterizedTest
    @MethodSource("providers")
    void bytes(Providers.Choice choice) throws Exception {
        play(choice, (service, caller, a, answer) -> {
            CompletableFuture<byte[]> call = caller.call(new byte[1], DEADLINE);
            long to = asks(service);
            giveUp(caller, call);
            service.sends(answer, to).get(20, TimeUnit.SECONDS);
        });
    }

    /** Into memory of the program's. */
    @ParameterizedTest
    @MethodSource("providers")
    void memory(Providers.Choice choice) throws Exception {
        play(choice, (service, caller, a, answer) -> {
            CompletableFuture<MemorySegment> call = caller.call(a.allocate(1), a.allocate(LONG), DEADLINE);
            long to = asks(service);
            giveUp(caller, call);
            service.sends(answer, to).get(20, TimeUnit.SECONDS);
        });
    }

    /** The same, before it is asked for: as the one before was long. */
    @ParameterizedTest
    @MethodSource("providers")
    void early(Providers.Choice choice) throws Exception {
        play(choice, (service, caller, a, answer) -> {
            CompletableFuture<MemorySegment> first = caller.call(a.allocate(1), a.allocate(LONG), DEADLINE);
            service.sends(answer, asks(service)).get(20, TimeUnit.SECONDS);
            assertThat(first.get(20, TimeUnit.SECONDS).byteSize()).isEqualTo(LONG);
            CompletableFuture<MemorySegment> call = caller.call(a.allocate(1), a.allocate(LONG), DEADLINE);
            long to = service.room();
            giveUp(caller, call);
            service.sends(answer, to).get(20, TimeUnit.SECONDS);
        });
    }
}
