// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Atomics;
import io.jfabric.CompletionQueue;
import io.jfabric.Datatype;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testing.Unshared;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the sm2 provider of libfabric 2 does otherwise than others. If one that shows a fault fails, a new release may
 * do it right: then the table of quirks has to say so.
 */
@Timeout(200)
class Sm2Test {
    private static final Providers.Choice SM2 = new Providers.Choice("sm2", EndpointType.RDM);
    /** Longer than what is copied into the provider's memory. */
    private static final int LONG = 5000;
    /** How many messages an endpoint can have under way, to all peers together. */
    private static final int UNDER_WAY = 1024;
    /** Where no other process has places. */
    private static final Unshared ALONE = Unshared.shm("size=200m");

    @BeforeAll
    static void offered() {
        assumeTrue(SM2.isOffered(), "no sm2 here");
    }

    private static Side another(Domain domain, FabricInfo info) {
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
        var vector = domain.openAddressVector();
        return new Side(domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector).enable(),
                queue, vector);
    }

    @Test
    void immediateDataAreSaidToBeThere() {
        Map<Feature, Trials.Outcome> outcomes = Trials.run(SM2, List.of(Feature.DATA, Feature.TAGGED), List.of());
        assertThat(outcomes).allSatisfy((feature, outcome) ->
                assertThat(outcome.result()).as(feature + ": " + outcome.why()).isEqualTo(Result.YES));
    }

    @Test
    void whatIsBoundToATakenNameIsNotPolled() {
        ChildJvm.Result result = SharedJvm.run(TakenName.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** Two endpoints of one name: the poll of the second would crash. */
    static final class TakenName {
        private TakenName() {
        }

        public static void main(String[] none) {
            byte[] name = ("fi_ns://taken" + ProcessHandle.current().pid() + "\0").getBytes(StandardCharsets.UTF_8);
            try (Hints hints = SM2.hints().sourceAddress(Address.of(AddressFormat.ADDR_STR, name));
                    FabricInfoList infos = Fabric.getInfo(hints); Fabric fabric = Fabric.open(infos.first());
                    Domain domain = fabric.openDomain(infos.first())) {
                Side first = another(domain, infos.first());
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                var vector = domain.openAddressVector();
                Endpoint second = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(vector);
                byte[] address = first.endpoint.address().bytes();
                assertThatThrownBy(second::enable).isInstanceOf(FabricException.class)
                        .hasMessageContaining("another endpoint has the address");
                assertThatThrownBy(() -> queue.poll(completion -> { }, 1)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("could not be enabled");
                assertThatThrownBy(() -> vector.insert(address)).isInstanceOf(RuntimeException.class);
                second.close();
                assertThatThrownBy(() -> queue.poll(completion -> { }, 1)).isInstanceOf(FabricException.class);
                assertThatThrownBy(() -> vector.insert(address)).isInstanceOf(RuntimeException.class);
                assertThat(first.poll()).isZero();
            }
        }
    }

    private static void alone(Class<?> main) throws InterruptedException {
        ALONE.assumeAllowed();
        ChildJvm.Result result = ALONE.child(main).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void whoFindsAllPlacesTakenIsToldSo() throws InterruptedException {
        alone(Crowd.class);
    }

    /** An address that nobody has takes a place as well. */
    static final class Crowd {
        private Crowd() {
        }

        public static void main(String[] none) {
            try (Pair pair = Pair.open(SM2)) {
                assertThatThrownBy(() -> {
                    for (int i = 0; i < 256; i++) {
                        pair.a.addresses.insert(("fi_ns://nobody" + i + "\0").getBytes(StandardCharsets.UTF_8));
                    }
                }).isInstanceOf(FabricException.class).hasMessageContaining("256");
                assertThatThrownBy(() -> another(pair.domain, pair.info)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("256").hasMessageContaining("/dev/shm/fi_sm2_mmaps");
            }
        }
    }

    @Test
    void receivesThatAreRefusedButTakeTheMessageArePosted() {
        for (boolean claimed : new boolean[] {false, true}) {
            try (Pair pair = Pair.open(SM2)) {
                if (claimed && Quirks.of(pair.info.provider()).has(Quirk.NO_PEEK)) {
                    continue;
                }
                MemorySegment out = Bytes.pattern(Arena.ofAuto(), LONG, 1);
                MemorySegment in = Arena.ofAuto().allocate(LONG);
                MemorySegment small = Arena.ofAuto().allocate(8);
                pair.post(() -> pair.b.endpoint.tagged().send(out, pair.b.peer, 1, 1));
                pair.progressFor(Duration.ofMillis(20));
                if (claimed) {
                    pair.post(() -> pair.a.endpoint.tagged().peekAndClaim(Address.ANY, 1, 0, 2));
                    pair.await(pair.a, 2);
                }
                for (int i = 0; i < UNDER_WAY; i++) {
                    assertThat(pair.a.endpoint.messages().send(small, pair.a.peer, 3)).isTrue();
                }
                assertThat(pair.a.endpoint.messages().send(small, pair.a.peer, 3)).isFalse();
                assertThat(claimed ? pair.a.endpoint.tagged().claim(in, Address.ANY, 1, 0, 2)
                        : pair.a.endpoint.tagged().receive(in, Address.ANY, 1, 0, 2)).isTrue();
                assertThat(pair.await(pair.a, 2).length()).isEqualTo(LONG);
                assertThat(in.mismatch(out)).isEqualTo(-1);
                pair.progressFor(Duration.ofMillis(200));
                assertThat(pair.b.take(done -> done.context() == 1)).isNull();
                receiveAll(pair, small);
            }
        }
    }

    /** Closing with unread messages does not return. */
    private static void receiveAll(Pair pair, MemorySegment small) {
        for (int i = 0; i < UNDER_WAY; i++) {
            pair.post(() -> pair.b.endpoint.messages().receive(small, Address.ANY, 4));
            pair.await(pair.b, 4);
        }
    }

    @Test
    void nothingIsReadByAnAtomic() {
        try (Pair pair = Pair.open(SM2, hints -> hints.capabilities(Capability.MSG, Capability.ATOMIC))) {
            MemorySegment target = Arena.ofAuto().allocate(8, 8);
            target.set(ValueLayout.JAVA_LONG, 0, 4711);
            RemoteRegion region = pair.b.endpoint.register(target, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                    .remote();
            Atomics atomics = pair.a.endpoint.atomics();
            MemorySegment result = Arena.ofAuto().allocate(8, 8);
            assertThat(atomics.maxCount(AtomicForm.FETCH, Datatype.INT64, AtomicOp.ATOMIC_READ)).isZero();
            assertThatThrownBy(() -> atomics.fetchAndApply((MemorySegment) null, result, pair.a.peer, region, 0,
                    Datatype.INT64, AtomicOp.ATOMIC_READ, 1)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_EOPNOTSUPP").hasMessageContaining("BOR");
            MemorySegment zero = Arena.ofAuto().allocate(8, 8);
            pair.post(() -> atomics.fetchAndApply(zero, result, pair.a.peer, region, 0, Datatype.INT64, AtomicOp.BOR,
                    1));
            pair.await(pair.a, 1);
            assertThat(result.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(4711);
        }
    }

    @Test
    void refusedAtomicsAreNoErrors() {
        try (Pair pair = Pair.open(SM2, hints -> hints.capabilities(Capability.MSG, Capability.ATOMIC))) {
            MemorySegment target = Arena.ofAuto().allocate(8, 8);
            MemoryRegion gone = pair.b.endpoint.register(target, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            RemoteRegion region = RemoteRegion.of(gone.remote().toBytes());
            gone.close();
            MemorySegment operand = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, 7);
            MemorySegment result = Arena.ofAuto().allocate(8, 8);
            pair.post(() -> pair.a.endpoint.atomics().fetchAndApply(operand, result, pair.a.peer, region, 0,
                    Datatype.INT64, AtomicOp.SUM, 1));
            pair.await(pair.a, 1);
            assertThat(result.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
            assertThat(target.get(ValueLayout.JAVA_LONG, 0)).isZero();
        }
    }

    /** What nobody gives back is missing for messages to all others. */
    @Test
    void messagesToTheClosedStayUnderWay() {
        try (Pair pair = Pair.open(SM2)) {
            Side living = another(pair.domain, pair.info);
            long peer = pair.a.addresses.insert(living.endpoint.address().bytes());
            MemorySegment out = Arena.ofAuto().allocate(8);
            pair.b.endpoint.close();
            for (int i = 0; i < UNDER_WAY; i++) {
                assertThat(pair.a.endpoint.messages().send(out, pair.a.peer, 1)).isTrue();
                pair.await(pair.a, 1);
            }
            for (long end = System.nanoTime() + 200_000_000; System.nanoTime() < end;) {
                assertThat(pair.a.endpoint.messages().send(out, peer, 2)).isFalse();
                pair.a.poll();
                living.poll();
            }
        }
    }

    @Test
    void theNextOneHasThePlaceOfTheClosed() throws InterruptedException {
        alone(Next.class);
    }

    /** Gets what is for another. */
    static final class Next {
        private Next() {
        }

        public static void main(String[] none) {
            try (Pair pair = Pair.open(SM2)) {
                pair.b.endpoint.close();
                Side next = another(pair.domain, pair.info);
                MemorySegment buffer = Arena.ofAuto().allocate(8);
                assertThat(next.endpoint.messages().receive(buffer, Address.ANY, 1)).isTrue();
                assertThat(pair.a.endpoint.messages().send(buffer, pair.a.peer, 2)).isTrue();
                pair.untilWithoutProgress("a message for the other", () -> {
                    pair.a.poll();
                    next.poll();
                    return next.take(done -> done.context() == 1) != null;
                });
            }
        }
    }

    @Test
    void deliveryOfShortMessagesIsNotAwaited() {
        try (Pair pair = Pair.open(SM2)) {
            MemorySegment buffer = Arena.ofAuto().allocate(LONG);
            for (int length : new int[] {8, 4040, 4041}) {
                boolean waits = length > 4040;
                pair.post(() -> pair.a.endpoint.messages().sendRequest().buffers(buffer.asSlice(0, length))
                        .peer(pair.a.peer).flags(OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE).post(1));
                pair.a.poll();
                assertThat(pair.a.take(done -> done.context() == 1) == null).as(length + " bytes").isEqualTo(waits);
                pair.post(() -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 2));
                pair.await(pair.b, 2);
                if (waits) {
                    pair.await(pair.a, 1);
                }
            }
        }
    }
}
