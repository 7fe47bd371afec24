// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
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
        words.listen(null, made, failure -> { });
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
        long tag = GROUP | (long) (operation << 10 | number) << 16;
        TaggedSend made = new TaggedSend(((NodeImpl) sender).drive(), (PeerImpl) sender.peer(receiver.address()),
                Clock.after(nanos), sender.allocate(8), 0, 8, tag, false, 0);
        allowance.start(made, 1);
        return made;
    }

    private static void goes(CompletableFuture<?> message) throws Exception {
        message.get(SECONDS, TimeUnit.SECONDS);
    }

    /** As members that have begun an operation need them, whatever comes later. */
    @Test
    void onlyOperationsThatBeginAreHeldBack() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(10 + i, 0));
        }
        goes(message(10 + MOST - 1, 1));
        goes(message(3, 0));
        TaggedSend first = message(20, 0);
        TaggedSend second = message(20, 1);
        TaggedSend third = message(21, 0);
        // it has sent two more
        allowance.heard(KEY, 2);
        allowance.heard(Tags.withRank(GROUP, 2), 4);
        allowance.heard(Tags.withRank(Tags.ofGroup(8), 1), 4);
        allowance.heard(KEY, Integer.MIN_VALUE);
        assertThat(List.of(first, second, third)).noneMatch(CompletableFuture::isDone);
        allowance.heard(KEY, 1);
        goes(first);
        goes(second);
        assertThat(third).isNotDone();
        goes(message(20, 2));
        allowance.heard(KEY, Integer.MAX_VALUE);
        goes(third);
    }

    /** Numbers begin anew. */
    @Test
    void operationsAreCountedOn() throws Exception {
        for (int i = -MOST; i < 0; i++) {
            goes(message(4096 + i, 0));
        }
        TaggedSend next = message(0, 0);
        goes(message(4095, 1));
        assertThat(next).isNotDone();
        allowance.heard(KEY, 2);
        goes(next);
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

    /** Else members that come and go would take more and more memory. */
    @Test
    void aGroupThatIsClosedIsForgotten() throws Exception {
        for (int i = 0; i < MOST; i++) {
            goes(message(i, 0));
        }
        allowance.forget(GROUP);
        goes(message(MOST, 0));
    }
}
