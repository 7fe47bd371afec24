// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.call.wire.Backlog;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller that makes more calls than it was granted, and reads none of the answers. */
@Timeout(90)
class DeafCallerTest {
    /** As much as follows a header to the caller by hand: the sooner what is between the nodes is full. */
    private static final int ANSWER = 4096;
    private static final int MOST_CALLS = 100_000;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void losesItsSession(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node loud = Node.open(hints);
                Node third = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(new byte[ANSWER]));
                Caller honest = Caller.open(third.peer(b.address()), 5);
                CallerByHand speaker = new CallerByHand(loud, loud.peer(b.address()), 5);
                CallerByHand listener = connected(deaf, b, 16)) {
            honest.call(new byte[1], DEADLINE).get(20, TimeUnit.SECONDS);
            assertThat(service.callers()).isEqualTo(3);
            MemorySegment frame = loud.allocate(Frame.HEADER + 8);
            int calls = 0;
            while (service.callers() == 3 && calls < MOST_CALLS) {
                calls += speaker.callsAs(listener, frame) ? 1 : 0;
            }
            assertThat(service.callers()).as("after %d calls", calls).isEqualTo(2);
            long start = System.nanoTime();
            assertThat(honest.call(new byte[1], DEADLINE).get(20, TimeUnit.SECONDS)).hasSize(ANSWER);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    /** Nor may it have the node's backlog, with what says that there are no such answers. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatThereIsNotCountsToo(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node loud = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(new byte[1]));
                CallerByHand speaker = new CallerByHand(loud, loud.peer(b.address()), 5);
                CallerByHand listener = connected(deaf, b, 16)) {
            MemorySegment frame = loud.allocate(Frame.HEADER);
            int asked = 0;
            while (service.callers() == 2 && asked < MOST_CALLS) {
                asked += speaker.asksAs(listener, frame, OwnTags.CALLS | 3L << 48 | asked) ? 1 : 0;
            }
            assertThat(service.callers()).as("after %d times", asked).isEqualTo(1);
        }
    }

    /** The buffers of its answers are others' at once, not at the node's deadline. */
    @Test
    void whatWaitsForItIsGivenUp() throws Exception {
        try (Hints hints = Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node loud = Node.open(hints);
                Node b = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofMinutes(5)));
                Service service = Service.open(b, 5, call -> call.answer(new byte[ANSWER]));
                CallerByHand speaker = new CallerByHand(loud, loud.peer(b.address()), 5);
                CallerByHand listener = connected(deaf, b, 4096)) {
            Peer peer = b.peer(deaf.address());
            MemorySegment frame = loud.allocate(Frame.HEADER + 8);
            int most = 0;
            for (int calls = 0; service.callers() == 2 && calls < MOST_CALLS; calls++) {
                speaker.callsAs(listener, frame);
                most = Math.max(most, peer.waiting());
            }
            // libfabric 2.1 takes calls faster than the service does
            Waits.until("its session has ended", () -> service.callers() == 1);
            assertThat(most).as("beside what the provider has").isGreaterThan(100);
            Waits.until("what waits is given up", () -> peer.waiting() < 10);
        }
    }

    /** Its node is polled until it has heard the answer to its hello, and not after that. */
    private static CallerByHand connected(Node deaf, Node to, int window) throws Exception {
        CompletableFuture<CallerByHand> made = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                made.complete(new CallerByHand(deaf, deaf.peer(to.address()), 5, window));
            } catch (Throwable e) {
                made.completeExceptionally(e);
            }
        });
        while (!made.isDone()) {
            deaf.progress();
            Thread.onSpinWait();
        }
        return made.get();
    }

    @Test
    void whoReadsMayHaveWhatItWasGrantedAndMore() {
        Unsent unsent = new Unsent(1000, new Backlog().new Share());
        begins(unsent, 2000);
        assertThat(unsent.isTooMuch()).isFalse();
        begins(unsent, 2000);
        assertThat(unsent.isTooMuch()).isTrue();
        ends(unsent, 4000);
        assertThat(unsent.isTooMuch()).isFalse();
    }

    /** Also while others have what is left, and in whichever of its sessions it is asked. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4096, 1 << 15})
    void whoWasGrantedMuchMayHaveIt(int granted) {
        Backlog backlog = new Backlog();
        begins(new Unsent(1 << 15, backlog.new Share()), Backlog.MOST);
        Backlog.Share share = backlog.new Share();
        Unsent honest = new Unsent(granted, share);
        Unsent another = new Unsent(1, share);
        int most = 2 * granted + 4 * Backlog.FEW;
        begins(honest, most - 1);
        for (; most < Backlog.MUCH; most++) {
            share.begins();
        }
        assertThat(List.of(honest, another)).as("just below").noneMatch(Unsent::isTooMuch);
        honest.begins();
        assertThat(List.of(honest, another)).as("as much as it may").noneMatch(Unsent::isTooMuch);
        another.begins();
        assertThat(List.of(honest, another)).as("more than that").allMatch(Unsent::isTooMuch);
        another.ends();
        assertThat(List.of(honest, another)).as("it reads").noneMatch(Unsent::isTooMuch);
    }

    /** Each within what it was granted, but together they would leave nothing for others. */
    @Test
    void manyThatDoNotReadAreTooMuchTogether() throws Exception {
        Backlog backlog = new Backlog();
        Backlog.Share share = backlog.new Share();
        Unsent one = new Unsent(1 << 13, share);
        Unsent sameNode = new Unsent(1 << 13, share);
        Unsent two = new Unsent(1 << 13, backlog.new Share());
        Unsent little = new Unsent(1 << 13, backlog.new Share());
        begins(one, Backlog.SOME / 2 - Backlog.FEW);
        begins(sameNode, Backlog.FEW);
        begins(two, Backlog.SOME / 2);
        begins(little, Backlog.FEW);
        assertThat(one.isTooMuch()).as("it may be a burst").isFalse();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!one.isTooMuch() && System.nanoTime() - end < 0) {
            two.ends();
            two.begins();
            Thread.sleep(10);
        }
        assertThat(one.isTooMuch()).as("nothing was sent to it for a while").isTrue();
        assertThat(sameNode.isTooMuch()).as("it has little, but its node reads nothing").isTrue();
        two.ends();
        assertThat(two.isTooMuch()).as("it reads").isFalse();
        assertThat(little.isTooMuch()).as("it has next to nothing").isFalse();
        ends(one, Backlog.SOME / 2 - Backlog.FEW);
        assertThat(backlog.isScarce()).isFalse();
        assertThat(two.isTooMuch()).isFalse();
    }

    /** Each of them far within what it was granted, and faster than anybody could see that nothing is read. */
    @Test
    void manySessionsOfOnePeerCountTogether() {
        try (Hints hints = Hints.rdm().provider("shm"); Node node = Node.open(hints); Node one = Node.open(hints);
                Node another = Node.open(hints)) {
            Backlog backlog = new Backlog();
            List<Unsent> all = new ArrayList<>();
            for (int i = 0; i < 1024; i++) {
                all.add(new Unsent(4096, backlog.of(node.peer(one.address()))));
            }
            Unsent honest = new Unsent(4096, backlog.of(node.peer(another.address())));
            begins(honest, 4096);
            all.forEach(unsent -> begins(unsent, Backlog.FEW));
            assertThat(all).allMatch(Unsent::isTooMuch);
            assertThat(honest.isTooMuch()).isFalse();
            all.forEach(unsent -> ends(unsent, Backlog.FEW));
            assertThat(all).noneMatch(Unsent::isTooMuch);
        }
    }

    private static void begins(Unsent unsent, int many) {
        for (int i = 0; i < many; i++) {
            unsent.begins();
        }
    }

    private static void ends(Unsent unsent, int many) {
        for (int i = 0; i < many; i++) {
            unsent.ends();
        }
    }
}
