// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.group.Tags;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which messages are held back, and until when. The other member is rank 1. */
@Timeout(60)
class AllowanceTest {
    private static final int MOST = 6;
    private static final long GROUP = Tags.ofGroup(9);
    private static final long KEY = Tags.withRank(GROUP, 1);
    private static final long SECONDS = 20;

    private Node sender;
    private Node receiver;
    private Allowance allowance;
    private Allowance others;

    @BeforeEach
    void open() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { })) {
            sender = Node.open(infos.first());
            receiver = Node.open(infos.first());
        }
        allowance = open(sender);
        others = open(receiver);
    }

    private static Allowance open(Node node) {
        Words words = new Words((NodeImpl) node, new GroupMemory(node.memory()));
        Allowance made = new Allowance((NodeImpl) node, words, MOST);
        words.listen(null, made, failure -> { }, lost -> { });
        made.open(GROUP);
        return made;
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    private TaggedSend message(int operation, int number) {
        return message(operation, number, SECONDS * 1_000_000_000);
    }

    private TaggedSend message(int operation, int number, long nanos) {
        return message(operation, number, nanos, sender.peer(receiver.address()));
    }

    private TaggedSend message(int operation, int number, long nanos, Peer to) {
        TaggedSend made = new TaggedSend(((NodeImpl) sender).drive(), (PeerImpl) to, Clock.after(nanos),
                sender.allocate(8), 0, 8, tag(operation, number), false, 0);
        allowance.start(made, 1);
        return made;
    }

    private static long tag(int operation, int number) {
        return GROUP | (long) ((operation & 0xFFF) << 10 | number) << 16;
    }

    private static void goes(CompletableFuture<?> message) throws Exception {
        message.get(SECONDS, TimeUnit.SECONDS);
    }

    /** What is held back for later ones could keep those from ending. */
    @Test
    void laterOperationsHoldNothingBack() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(10 + i, 0));
        }
        goes(message(9, 0));
        TaggedSend last = message(20, 0);
        TaggedSend second = message(18, 0);
        TaggedSend first = message(10 + MOST - 1, 1);
        // it has sent one more
        allowance.heard(KEY, 1);
        allowance.heard(Tags.withRank(GROUP, 2), 4);
        allowance.heard(Tags.withRank(Tags.ofGroup(8), 1), 4);
        allowance.heard(KEY, Integer.MIN_VALUE);
        assertThat(List.of(first, second, last)).noneMatch(CompletableFuture::isDone);
        allowance.heard(KEY, 1);
        goes(first);
        assertThat(List.of(second, last)).noneMatch(CompletableFuture::isDone);
        goes(message(8, 0));
        allowance.heard(KEY, 2);
        goes(second);
        assertThat(last).isNotDone();
        allowance.heard(KEY, Integer.MAX_VALUE);
        goes(last);
    }

    /** Numbers begin anew, also when nothing was sent to that member for long. */
    @Test
    void operationsAreCountedOn() throws Exception {
        int next = 0;
        for (int gap : new int[] {4096, 2100, 4095, 1}) {
            for (int i = 0; i < gap; i++) {
                allowance.sees(tag(next++, 0));
            }
            for (int i = 0; i < MOST; i++) {
                goes(message(next++, 0));
            }
            TaggedSend held = message(next++, 0);
            goes(message(next - MOST - 2, 1));
            assertThat(held).isNotDone();
            allowance.heard(KEY, 2);
            goes(held);
            allowance.heard(KEY, MOST);
        }
    }

    /** The end of an operation takes back the messages of later ones. */
    @Test
    void whatFailsMayTakeBackTheNext() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(i, 0));
        }
        TaggedSend first = message(MOST, 0, SECONDS * 1_000_000_000, sender.peer(sender.address()));
        TaggedSend next = message(MOST + 1, 0);
        List<Boolean> takenBack = new CopyOnWriteArrayList<>();
        first.whenComplete((done, why) -> takenBack.add(allowance.withdraw(next, 1)));
        sender.peer(sender.address()).close();
        allowance.heard(KEY, 2);
        assertThat(first).isCompletedExceptionally();
        assertThat(takenBack).containsExactly(true);
        next.end(new IllegalStateException("expected"));
    }

    @Test
    void whatIsTakenBackIsNotSent() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(i, 0));
        }
        TaggedSend takenBack = message(MOST, 0);
        TaggedSend next = message(MOST + 1, 0);
        assertThat(allowance.withdraw(takenBack, 1)).isTrue();
        assertThat(allowance.withdraw(takenBack, 1)).isFalse();
        allowance.heard(KEY, 1);
        goes(next);
        assertThat(takenBack).isNotDone();
        takenBack.end(new IllegalStateException("expected"));
    }

    @Test
    void whatWaitsTooLongEnds() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(i, 0));
        }
        TaggedSend late = message(MOST, 0, 1_000_000);
        Waits.until("it is late", () -> late.isDone());
        assertThat(late).isCompletedExceptionally();
        TaggedSend last = message(MOST, 1);
        allowance.end(new IllegalStateException("expected"));
        assertThat(last).isCompletedExceptionally();
        goes(message(MOST + 1, 0));
    }

    @Test
    void aMemberSaysWhatItHasReceived() throws Exception {
        PeerImpl from = (PeerImpl) receiver.peer(sender.address());
        for (int i = 0; i < MOST; i++) {
            goes(message(i, 0));
        }
        TaggedSend next = message(MOST, 0);
        others.received(GROUP, from, 0, 1);
        assertThat(next).isNotDone();
        others.received(GROUP, from, 0, 1);
        goes(next);
    }

    /** Else groups that come and go would take more and more memory. */
    @Test
    void aGroupThatIsClosedIsForgotten() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(i, 0));
        }
        allowance.close(GROUP);
        goes(message(MOST, 0));
    }
}
