// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.group.Failure;
import io.jfabric.internal.group.Lost;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What members tell each other beside their messages, whatever comes. */
@Timeout(60)
class WordsTest {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final List<Failure> heard = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();
    private Node node;
    private StandingReceive.Taker taker;
    private MemorySegment buffer;
    private int receives;

    @BeforeEach
    void open() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
            node = Node.open(infos.first());
        }
        Words words = new Words((NodeImpl) node, new GroupMemory(node.memory()), told -> {
            taker = told;
            return into -> {
                buffer = into;
                receives++;
            };
        });
        words.listen(null, null, heard::add, lost::add);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void arrives(long length, int rank, int errno, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        buffer.set(ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN), 0, -9);
        buffer.set(INT, 8, 1000);
        buffer.set(INT, 12, rank);
        buffer.set(INT, 16, 3);
        buffer.set(INT, 20, errno);
        MemorySegment.copy(text, 0, buffer, ValueLayout.JAVA_BYTE, 24, text.length);
        taker.arrived(length);
    }

    @Test
    void aFailureIsHeard() {
        arrives(24, 0, 1, "");
        arrives(27, 2, 5, "why");
        assertThat(heard).containsExactly(new Failure(-9, 1000, 0, 3, 1, ""),
                new Failure(-9, 1000, 2, 3, 5, "why"));
        assertThat(receives).isEqualTo(3);
    }

    /** More than fit into one word. */
    @Test
    void whoIsLostIsHeard() {
        List<Integer> ranks = IntStream.range(7, 7 + 300).boxed().toList();
        Words words = new Words((NodeImpl) node, new GroupMemory(node.memory()));
        List<Lost> told = new CopyOnWriteArrayList<>();
        words.listen(null, null, heard::add, told::add);
        Lost all = new Lost(Long.MAX_VALUE, -1, 0xFFFF, ranks);
        assertThat(words.tell((PeerImpl) node.peer(node.address()), all)).succeedsWithin(Duration.ofSeconds(30));
        Waits.until("all have come", () -> told.stream().mapToInt(one -> one.ranks().size()).sum() == 300);
        assertThat(told).hasSize(3).allMatch(one -> one.group() == Long.MAX_VALUE && one.turn() == -1
                && one.rank() == 0xFFFF);
        assertThat(told.stream().flatMap(one -> one.ranks().stream()).toList()).isEqualTo(ranks);
        assertThat(heard).isEmpty();
    }

    @Test
    void whatIsNoWordIsNotHeard() {
        for (long length : new long[] {0, 7, 8, 9, 23}) {
            arrives(length, 2, 5, "why");
        }
        arrives(27, -1, 5, "why");
        arrives(27, 2, 0, "why");
        arrives(27, 2, -5, "why");
        assertThat(heard).isEmpty();
        assertThat(lost).allMatch(one -> one.ranks().isEmpty());
        assertThat(receives).isEqualTo(9);
    }

    /** Who fails has other members to tell, and its own operations to end. */
    @Test
    void oneForWhichThereIsNoMemoryIsNotTold() {
        AtomicBoolean isLeft = new AtomicBoolean(true);
        GroupMemory memory = new GroupMemory((size, alignment) -> {
            if (!isLeft.get()) {
                throw new OutOfMemoryError("expected");
            }
            return node.allocate(size);
        });
        Words words = new Words((NodeImpl) node, memory, told -> into -> { });
        isLeft.set(false);
        PeerImpl peer = (PeerImpl) node.peer(node.address());
        Failure failure = new Failure(1, 0, 0, 3, 5, "why");
        assertThatThrownBy(() -> words.tell(peer, failure)).isInstanceOf(OutOfMemoryError.class);
        GroupTransport transport = new GroupTransport((NodeImpl) node, memory, words, null, null, null, null,
                List.of(peer), 0);
        assertThatCode(() -> transport.tell(0, failure)).doesNotThrowAnyException();
    }

    /** Also where operations have no deadline: to a member that is dead they would be more and more. */
    @Test
    void aMemberThatDoesNotHearIsNotToldForEver() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                Node deaf = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress());
                Node tells = Node.open(infos.first(), NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE))) {
            Words words = new Words((NodeImpl) tells, new GroupMemory(tells.memory()));
            PeerImpl peer = (PeerImpl) tells.peer(deaf.address());
            for (int i = 0; i < 5; i++) {
                Operation<Void> told = words.tell(peer, new Failure(1, 0, 0, i, 5, "why"));
                assertThat(Clock.left(told.deadline())).isBetween(20_000_000_000L, 30_000_000_000L);
            }
            // two looks: one that is posted between them is seen twice
            Waits.until("all wait or are under way", () -> peer.words().waiting() + peer.words().underWay() == 5);
            assertThat(peer.firstTransmits().waiting() + peer.firstTransmits().underWay()).as("beats wait").isZero();
        }
    }

    /** As where there is no memory for its text. */
    @Test
    void oneThatCannotBeReadIsNotTheLast() {
        assertThatThrownBy(() -> arrives(buffer.byteSize() + 1, 2, 5, "why"))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(receives).isEqualTo(2);
        arrives(27, 2, 5, "why");
        assertThat(heard).hasSize(1);
    }
}
