// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A call that is given up while its answer is copied into the program's memory: that is not the program's yet. */
@Timeout(60)
class AnswerUnderCopyTest {
    private static final long FOREVER = Long.MAX_VALUE;
    private static final int LONG = 100_000;

    /** Stays in the middle of the copy until it may go on. */
    private static final class Held extends Outgoing<MemorySegment> {
        private final MemorySegment room;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private volatile boolean ended;

        Held(Node node, MemorySegment request, MemorySegment room) {
            super(((NodeImpl) node).drive(), new MemorySegment[] {request}, FOREVER);
            this.room = room;
        }

        @Override
        void take(MemorySegment from, long offset, long length) {
            begun.countDown();
            try {
                mayEnd.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            ended = true;
            value(from);
        }

        @Override
        boolean fillsMemory() {
            return true;
        }

        @Override
        MemorySegment wholeRoom() {
            return room;
        }

        @Override
        MemorySegment room(long length) {
            return null;
        }

        @Override
        void arrived(MemorySegment whole) {
            throw new AssertionError("nothing is received there");
        }
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shortAnswer(Providers.Choice choice) throws Exception {
        isNotDoneBefore(choice, 100, false);
    }

    /** From where it was received, as the provider cannot write into the program's memory itself. */
    @ParameterizedTest
    @MethodSource("providers")
    void longAnswer(Providers.Choice choice) throws Exception {
        isNotDoneBefore(choice, LONG, false);
    }

    /** In a message, and not where it was to be received: that ends meanwhile. */
    @ParameterizedTest
    @MethodSource("providers")
    void noAnswerWhereALongOneWasExpected(Providers.Choice choice) throws Exception {
        isNotDoneBefore(choice, 0, true);
    }

    private static void isNotDoneBefore(Providers.Choice choice, int length, boolean announced) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> call.answer(
                        new byte[call.request().get(ValueLayout.JAVA_INT_UNALIGNED, 0)]));
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            MemorySegment room = a.allocate(LONG);
            for (int i = 0; i < 2; i++) {
                caller.call(request(announced ? LONG : 1), room, Duration.ofSeconds(20)).get(20, TimeUnit.SECONDS);
            }
            Held call = new Held(a, request(length), announced ? room : null);
            ((CallerImpl) caller).submit(call, FOREVER);
            try {
                assertThat(call.begun.await(20, TimeUnit.SECONDS)).isTrue();
                call.cancel(true);
                CompletableFuture<Void> released = a.released(call);
                assertThat(call.ended).isFalse();
                assertThat(call.isDone()).as("done while its answer is copied").isFalse();
                assertThat(released).isNotDone();
                call.mayEnd.countDown();
                released.get(20, TimeUnit.SECONDS);
                assertThat(call.ended).isTrue();
                assertThat(call.isCancelled()).isTrue();
            } finally {
                call.mayEnd.countDown();
            }
            assertThat(caller.call(new byte[4]).get(20, TimeUnit.SECONDS)).isEmpty();
        }
    }

    private static MemorySegment request(int answer) {
        MemorySegment request = MemorySegment.ofArray(new byte[4]);
        request.set(ValueLayout.JAVA_INT_UNALIGNED, 0, answer);
        return request;
    }
}
