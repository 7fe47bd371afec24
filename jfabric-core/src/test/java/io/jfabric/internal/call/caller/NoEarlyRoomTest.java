// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A call whose answer was to be received before it is announced, and cannot be: it goes, or fails, like any other. */
@Timeout(60)
class NoEarlyRoomTest {
    private static final int LONG = 100_000;
    private static final int RECEIVES = 4;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private record Said(int type, long id) {
    }

    /** Says only what it is told to. */
    private static final class Silent extends ServiceByHand {
        private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
        private final BlockingQueue<Said> heard = new LinkedBlockingQueue<>();
        private final int window;

        Silent(Node node, int window) {
            super(node);
            this.window = window;
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) != Frame.CONNECT) {
                heard.add(new Said(Frame.type(frame), Frame.id(frame)));
            } else if (greeting.complete(read(frame, length))) {
                accept(greeting.join(), greeting.join().hello(), 1, window, LONG);
            }
            return null;
        }

        long hears(int type) throws InterruptedException {
            Said said = heard.poll(20, TimeUnit.SECONDS);
            assertThat(said).isNotNull().returns(type, Said::type);
            return said.id;
        }

        void says(int type, long id, long length) {
            say(greeting.join(), type, 1, id, length, 0);
        }
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private interface Scene {
        void play(Silent service, Caller caller, Node node) throws Exception;
    }

    /** With so many calls at a time. */
    private static void play(Providers.Choice choice, int window, Scene scene) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withReceiveLimit(RECEIVES)); Node b = Node.open(hints)) {
            Silent service = new Silent(b, window);
            service.join();
            try (Caller caller = Caller.open(a.peer(b.address()), ServiceByHand.NUMBER)) {
                scene.play(service, caller, a);
            }
        }
    }

    private static CompletableFuture<MemorySegment> call(Caller caller, Node node, MemorySegment room) {
        return caller.call(node.allocate(1), room, DEADLINE);
    }

    /** All that the node may receive at a time is being received. */
    @ParameterizedTest
    @MethodSource("providers")
    void withoutAPlaceItGoesLikeAnyOther(Providers.Choice choice) throws Exception {
        play(choice, RECEIVES + 1, (service, caller, node) -> {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < RECEIVES; i++) {
                call(caller, node, node.allocate(LONG));
                ids.add(service.hears(Frame.CALL));
            }
            for (long id : ids) {
                service.says(Frame.ANSWER_LARGE, id, LONG);
                service.hears(Frame.GO);
            }
            CompletableFuture<MemorySegment> call = call(caller, node, node.allocate(LONG));
            service.says(Frame.ANSWER, service.hears(Frame.CALL), 0);
            assertThat(call.get(20, TimeUnit.SECONDS).byteSize()).isZero();
        });
    }

    /** It was freed while the call waited for its turn. */
    @ParameterizedTest
    @MethodSource("providers")
    void withoutItsMemoryItFails(Providers.Choice choice) throws Exception {
        play(choice, 2, (service, caller, node) -> {
            call(caller, node, node.allocate(LONG));
            call(caller, node, node.allocate(LONG));
            long first = service.hears(Frame.CALL);
            service.says(Frame.ANSWER_LARGE, service.hears(Frame.CALL), LONG);
            service.hears(Frame.GO);
            CompletableFuture<MemorySegment> call;
            try (Arena freed = Arena.ofShared()) {
                call = call(caller, node, freed.allocate(LONG));
            }
            // not answered: a short answer would change what is thought of the next
            service.says(Frame.FAILURE, first, 0);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        });
    }
}
