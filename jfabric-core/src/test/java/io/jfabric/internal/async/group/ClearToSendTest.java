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
            clearance.tell(gone, 5, 5, receive);
            assertThat(receive).isCompletedExceptionally();
            assertThat(memory.take(8).address()).isEqualTo(word.address());
        }
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
            tells.tell(to, 5, 5, givenUp);
            Operation<?> kept = (Operation<?>) receiver.receive(receiver.allocate(8), 2);
            tells.tell(to, 6, 6, kept);
            send(sender, from, waits, 2, 6).get(20, TimeUnit.SECONDS);
            givenUp.cancel(true);
            // told after that
            Operation<?> last = (Operation<?>) receiver.receive(receiver.allocate(8), 3);
            tells.tell(to, 7, 7, last);
            send(sender, from, waits, 3, 7).get(20, TimeUnit.SECONDS);
            TaggedSend late = send(sender, from, waits, 1, 5);
            assertThat(waits.withdraw(late, 5)).as("it waits").isTrue();
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
                tells.tell(to, tag + 4, tag + 4, expected);
                send(sender, from, waits, tag, tag + 4).get(20, TimeUnit.SECONDS);
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
            assertThatThrownBy(() -> clearance.await(message, 5)).isInstanceOf(OutOfMemoryError.class);
            assertThat(clearance.withdraw(message, 5)).isFalse();
        }
    }

    private static ClearToSend open(Node node, GroupMemory memory) {
        return open(node, new Words((NodeImpl) node, memory));
    }

    private static ClearToSend open(Node node, Words words) {
        ClearToSend made = new ClearToSend((NodeImpl) node, words, leftovers(node), 1);
        words.listen(made, failure -> { });
        return made;
    }

    private static Leftovers leftovers(Node node) {
        return new Leftovers((NodeImpl) node, new GroupMemory(node.memory()),
                ((NodeImpl) node).drive().flow().manyReceivesLane());
    }

    private static TaggedSend send(Node node, PeerImpl peer, ClearToSend waits, long tag, long key) {
        TaggedSend message = new TaggedSend(((NodeImpl) node).drive(), peer, Clock.after(20_000_000_000L),
                node.allocate(8), 0, 8, tag, false, 0);
        waits.await(message, key);
        return message;
    }
}
