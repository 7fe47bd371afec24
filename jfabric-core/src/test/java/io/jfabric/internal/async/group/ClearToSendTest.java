// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.group.Tags;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tells members that they may send takes no more and more memory. */
@Timeout(60)
class ClearToSendTest {
    @Test
    void theOldestKeysAreForgotten() {
        EarlyKeys keys = new EarlyKeys();
        keys.add(-1);
        keys.add(-1);
        for (int i = 0; i < EarlyKeys.MOST; i++) {
            keys.add(i);
        }
        assertThat(keys.size()).isEqualTo(EarlyKeys.MOST);
        assertThat(keys.take(-1)).isFalse();
        keys.add(0);
        assertThat(keys.take(0)).isTrue();
        assertThat(keys.take(0)).isTrue();
        assertThat(keys.take(0)).isFalse();
        assertThat(keys.size()).isEqualTo(EarlyKeys.MOST - 1);
    }

    @Test
    void whatCannotBeToldGivesItsMemoryBack() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                Node node = Node.open(infos.first()); Node other = Node.open(infos.first())) {
            GroupMemory memory = new GroupMemory(node.memory());
            ClearToSend clearance = open(node, memory);
            MemorySegment word = memory.take(8);
            memory.give(word);
            PeerImpl gone = (PeerImpl) node.peer(other.address());
            gone.close();
            Operation<?> receive = (Operation<?>) node.receive(node.allocate(8), 1);
            clearance.tell(gone, 5, key(5), receive);
            assertThat(receive).isCompletedExceptionally();
            assertThat(memory.take(8).address()).isEqualTo(word.address());
        }
    }

    /** Other members were further ahead, or one is hostile. */
    @Test
    void whatIsForgottenIsAskedFor() throws Exception {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                Node receiver = Node.open(infos.first()); Node sender = Node.open(infos.first())) {
            ClearToSend tells = open(receiver, new GroupMemory(receiver.memory()));
            ClearToSend waits = open(sender, new GroupMemory(sender.memory()));
            PeerImpl to = (PeerImpl) receiver.peer(sender.address());
            PeerImpl from = (PeerImpl) sender.peer(receiver.address());
            Operation<?> first = (Operation<?>) receiver.receive(receiver.allocate(8), 1);
            tells.tell(to, key(1), key(2), first);
            // by the time that it has heard this, it has heard that
            Operation<?> second = (Operation<?>) receiver.receive(receiver.allocate(8), 3);
            tells.tell(to, key(3), key(4), second);
            send(sender, from, waits, 3, key(4)).get(20, TimeUnit.SECONDS);
            for (int i = 0; i < EarlyKeys.MOST; i++) {
                waits.heard(key(100 + i));
            }
            // not told yet: the answer to that is to be told in time
            TaggedSend third = send(sender, from, waits, 5, key(6));
            send(sender, from, waits, 1, key(2)).get(20, TimeUnit.SECONDS);
            first.get(20, TimeUnit.SECONDS);
            assertThat(third).isNotDone();
            Operation<?> late = (Operation<?>) receiver.receive(receiver.allocate(8), 5);
            tells.tell(to, key(5), key(6), late);
            third.get(20, TimeUnit.SECONDS);
            late.get(20, TimeUnit.SECONDS);
        }
    }

    /** A message must not go before its receive when its key is used again. */
    @Test
    void anAnswerThatIsTooLateIsOfNoUse() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { }); Node node = Node.open(infos.first())) {
            ClearToSend waits = open(node, new GroupMemory(node.memory()));
            waits.heard(Long.MIN_VALUE | 2);
            TaggedSend message = send(node, (PeerImpl) node.peer(node.address()), waits, 1, key(2));
            assertThat(waits.withdraw(message, key(2))).isTrue();
            message.end(new CancellationException());
        }
    }

    /** However often a sender asks, it is answered once at a time. */
    @Test
    void aReceiveIsToldOncePerTime() {
        Told told = new Told();
        Operation<?> receive;
        try (FabricInfoList infos = Providers.RXM.find(hints -> { }); Node node = Node.open(infos.first())) {
            receive = (Operation<?>) node.receive(node.allocate(8), 1);
            Told.One one = told.add(1, (PeerImpl) node.peer(node.address()), 2, receive);
            assertThat(told.of(1)).isSameAs(one);
            assertThat(one.ask()).as("while it is told").isFalse();
            assertThat(one.ask()).isFalse();
            assertThat(one.end()).as("once more").isTrue();
            assertThat(one.end()).isFalse();
            assertThat(one.ask()).isTrue();
            assertThat(one.end()).isFalse();
        }
        assertThat(receive).isDone();
        assertThat(told.size()).isZero();
    }

    /** Who comes late to an operation that has failed elsewhere must not send what nobody receives. */
    @Test
    void aReceiveThatIsGivenUpIsNotSentTo() throws Exception {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                Node receiver = Node.open(infos.first()); Node sender = Node.open(infos.first())) {
            ClearToSend tells = open(receiver, new GroupMemory(receiver.memory()));
            ClearToSend waits = open(sender, new GroupMemory(sender.memory()));
            PeerImpl to = (PeerImpl) receiver.peer(sender.address());
            PeerImpl from = (PeerImpl) sender.peer(receiver.address());
            Operation<?> givenUp = (Operation<?>) receiver.receive(receiver.allocate(8), 1);
            tells.tell(to, 5, key(5), givenUp);
            Operation<?> kept = (Operation<?>) receiver.receive(receiver.allocate(8), 2);
            tells.tell(to, 6, key(6), kept);
            send(sender, from, waits, 2, key(6)).get(20, TimeUnit.SECONDS);
            givenUp.cancel(true);
            // told after that
            Operation<?> last = (Operation<?>) receiver.receive(receiver.allocate(8), 3);
            tells.tell(to, 7, key(7), last);
            send(sender, from, waits, 3, key(7)).get(20, TimeUnit.SECONDS);
            TaggedSend late = send(sender, from, waits, 1, key(5));
            assertThat(waits.withdraw(late, key(5))).as("it waits").isTrue();
            late.end(new CancellationException());
        }
    }

    /** There was no memory to receive the next. */
    @Test
    void anErrorDoesNotEndListening() throws Exception {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                Node receiver = Node.open(infos.first()); Node sender = Node.open(infos.first())) {
            ClearToSend tells = open(receiver, new GroupMemory(receiver.memory()));
            AtomicInteger times = new AtomicInteger();
            Words words = new Words((NodeImpl) sender, new GroupMemory(sender.memory()), taker -> {
                StandingReceive receive = ((NodeImpl) sender).receiveAgain(OwnTags.WORDS, taker);
                return into -> {
                    int time = times.incrementAndGet();
                    if (time == 2 || time == 3) {
                        throw new OutOfMemoryError("expected");
                    }
                    receive.next(into);
                };
            });
            ClearToSend waits = open(sender, words);
            PeerImpl to = (PeerImpl) receiver.peer(sender.address());
            PeerImpl from = (PeerImpl) sender.peer(receiver.address());
            for (long tag = 1; tag <= 3; tag++) {
                Operation<?> expected = (Operation<?>) receiver.receive(receiver.allocate(8), tag);
                tells.tell(to, tag + 4, key(tag + 4), expected);
                send(sender, from, waits, tag, key(tag + 4)).get(20, TimeUnit.SECONDS);
            }
            assertThat(times).hasValue(6);
        }
    }

    /** There was no memory to look at its deadline: the operation has failed, and its message is not sent later. */
    @Test
    void whatCannotWaitIsNotSentLater() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { }); Node node = Node.open(infos.first())) {
            ClearToSend clearance = new ClearToSend((NodeImpl) node, new Words((NodeImpl) node,
                    new GroupMemory(node.memory())), leftovers(node), 1, (millis, look) -> {
                        throw new OutOfMemoryError("expected");
                    });
            PeerImpl peer = (PeerImpl) node.peer(node.address());
            TaggedSend message = new TaggedSend(((NodeImpl) node).drive(), peer, Clock.NEVER, node.allocate(8), 0, 8,
                    1, false, 0);
            assertThatThrownBy(() -> clearance.await(message, peer, 1, 5)).isInstanceOf(OutOfMemoryError.class);
            assertThat(clearance.withdraw(message, 5)).isFalse();
        }
    }

    private static long key(long number) {
        return Tags.MARK | number;
    }

    private static ClearToSend open(Node node, GroupMemory memory) {
        return open(node, new Words((NodeImpl) node, memory));
    }

    private static ClearToSend open(Node node, Words words) {
        ClearToSend made = new ClearToSend((NodeImpl) node, words, leftovers(node), 1);
        words.listen(made, null, failure -> { }, lost -> { });
        return made;
    }

    private static Leftovers leftovers(Node node) {
        return new Leftovers((NodeImpl) node, new GroupMemory(node.memory()),
                ((NodeImpl) node).drive().flow().manyReceivesLane());
    }

    private static TaggedSend send(Node node, PeerImpl peer, ClearToSend waits, long tag, long key) {
        TaggedSend message = new TaggedSend(((NodeImpl) node).drive(), peer, Clock.after(20_000_000_000L),
                node.allocate(8), 0, 8, tag, false, 0);
        waits.await(message, peer, key(tag), key);
        return message;
    }
}
