// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.DeliveredSend;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.operation.TextOfPeer;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.group.Failure;
import io.jfabric.internal.group.Lost;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Words: what group members tell each other besides their messages. One receive of the node takes them for all its
 * groups. Little endian: 8 bytes about a message that waits for its receive; 12 that acknowledge messages, the last 4
 * saying how many; or, if longer, a failure: 8 bytes for the name of the group, the turn (which group of that name),
 * the rank, the operation and the error, 4 bytes each, and the reason in UTF-8. With the error 0, whom the member has
 * lost: their ranks instead of the reason, 4 bytes each. Any thread.
 */
final class Words implements StandingReceive.Taker {
    private static final ValueLayout.OfLong KEY = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long RECEIVED = 12;
    private static final long TURN = 8;
    private static final long RANK = 12;
    private static final long OPERATION = 16;
    private static final long ERROR = 20;
    private static final long REASON = 24;
    /** The longest word, in bytes; longer reasons are cut. */
    private static final long LONGEST = 512;
    /** How many ranks fit into a word. */
    private static final int MOST_LOST = (int) (LONGEST - REASON) / Integer.BYTES;
    /** How long a word that goes before the program's messages may wait at most, in nanoseconds. */
    private static final long PATIENCE = 30_000_000_000L;

    private final NodeImpl node;
    private final GroupMemory memory;
    private final MemorySegment buffer;
    private final Function<StandingReceive.Taker, Consumer<MemorySegment>> receives;
    /** Whether a word that is sent may be lost when this node is closed. */
    private final boolean asksWhetherHeard;
    private ClearToSend clearance;
    private Allowance allowance;
    private Consumer<Failure> failures;
    private Consumer<Lost> losses;
    private Consumer<MemorySegment> receive;

    Words(NodeImpl node, GroupMemory memory) {
        this(node, memory, taker -> node.receiveAgain(OwnTags.WORDS, taker)::next);
    }

    Words(NodeImpl node, GroupMemory memory, Function<StandingReceive.Taker, Consumer<MemorySegment>> receives) {
        this.receives = receives;
        this.node = node;
        this.memory = memory;
        this.buffer = memory.take(LONGEST);
        this.asksWhetherHeard = Quirks.of(node.info().provider()).has(Quirk.LOSES_WHAT_WAS_SENT);
    }

    /** Starts to listen, once. The first two may be null: then nobody needs such words. */
    void listen(ClearToSend cleared, Allowance allowed, Consumer<Failure> failed, Consumer<Lost> lost) {
        clearance = cleared;
        allowance = allowed;
        failures = failed;
        losses = lost;
        listen();
    }

    private void listen() {
        receive = receives.apply(this);
        next();
    }

    private void next() {
        try {
            receive.accept(buffer.asSlice(0, LONGEST));
        } catch (IllegalStateException closed) {
            over(closed);
        }
    }

    /** To the other side of a message that waits for its receive. */
    TaggedSend tell(PeerImpl sender, long key, long deadline) {
        MemorySegment word = memory.take(KEY.byteSize());
        word.set(KEY, 0, key);
        return started(new TaggedSend(node.drive(), sender, deadline, word, 0, KEY.byteSize(), OwnTags.WORDS, false, 0),
                word);
    }

    /** Acknowledges so many messages to their sender, ahead of the program's; the key tells who received them. */
    TaggedSend tell(PeerImpl sender, long key, int received) {
        MemorySegment word = memory.take(RECEIVED);
        word.set(KEY, 0, key);
        word.set(INT, KEY.byteSize(), received);
        return started(first(sender, word.asSlice(0, RECEIVED)), word);
    }

    /** Tells another member of a failure; not behind messages that it does not take any more. Done when it knows. */
    Operation<Void> tell(PeerImpl member, Failure failure) {
        byte[] reason = failure.reason().getBytes(StandardCharsets.UTF_8);
        int length = whole(reason, (int) (LONGEST - REASON));
        MemorySegment word = word(failure.group(), failure.turn(), failure.rank());
        word.set(INT, OPERATION, failure.operation());
        word.set(INT, ERROR, failure.errno());
        MemorySegment.copy(reason, 0, word, ValueLayout.JAVA_BYTE, REASON, length);
        MemorySegment text = word.asSlice(0, REASON + length);
        if (!asksWhetherHeard) {
            return started(first(member, text), word);
        }
        return started(new DeliveredSend(node.drive(), member, member.words(), patience(), text, OwnTags.WORDS), word);
    }

    /** Tells another member whom this one has lost, in as many words as it takes; done as the last one is. */
    Operation<Void> tell(PeerImpl member, Lost lost) {
        int count = Math.min(MOST_LOST, lost.ranks().size());
        MemorySegment word = word(lost.group(), lost.turn(), lost.rank());
        word.set(INT, OPERATION, 0);
        word.set(INT, ERROR, 0);
        for (int i = 0; i < count; i++) {
            word.set(INT, REASON + Integer.BYTES * i, lost.ranks().get(i));
        }
        Operation<Void> sent = started(first(member, word.asSlice(0, REASON + Integer.BYTES * count)), word);
        return count == lost.ranks().size() ? sent
                : tell(member, new Lost(lost.group(), lost.turn(), lost.rank(),
                        lost.ranks().subList(count, lost.ranks().size())));
    }

    /** Room for a word about a group; begins with it and with the member that sends it. */
    private MemorySegment word(long group, int turn, int rank) {
        MemorySegment word = memory.take(LONGEST);
        word.set(KEY, 0, group);
        word.set(INT, TURN, turn);
        word.set(INT, RANK, rank);
        return word;
    }

    private TaggedSend first(PeerImpl member, MemorySegment word) {
        return TaggedSend.first(node.drive(), member, member.words(), patience(), word, OwnTags.WORDS);
    }

    /** Where operations have no deadline, more and more words might wait for a dead member. */
    private long patience() {
        return Clock.after(Math.min(PATIENCE, Clock.nanos(node.options().deadline())));
    }

    /** How many bytes of a text in UTF-8 are sent: no half characters. */
    private static int whole(byte[] text, int most) {
        int length = Math.min(most, text.length);
        while (length < text.length && (text[length] & 0xC0) == 0x80) {
            length--;
        }
        return length;
    }

    private <T extends Operation<Void>> T started(T sent, MemorySegment word) {
        try {
            node.drive().start(sent);
        } catch (RuntimeException | Error refused) {
            sent.end(refused);
        }
        // the provider may still have the word
        sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, () -> memory.give(word)));
        return sent;
    }

    @Override
    public void arrived(long length) {
        if (length == KEY.byteSize()) {
            long key = buffer.get(KEY, 0);
            nextOrLater();
            if (clearance != null) {
                clearance.heard(key);
            }
            return;
        }
        if (length == RECEIVED) {
            long key = buffer.get(KEY, 0);
            int received = buffer.get(INT, KEY.byteSize());
            nextOrLater();
            if (allowance != null) {
                allowance.heard(key, received);
            }
            return;
        }
        Runnable heard;
        try {
            heard = ofGroup(length);
        } finally {
            // there may be no memory for the reason
            nextOrLater();
        }
        heard.run();
    }

    /** What a word about a group says; what is none says nothing. */
    private Runnable ofGroup(long length) {
        if (length < REASON || buffer.get(INT, RANK) < 0 || buffer.get(INT, ERROR) < 0) {
            return () -> { };
        }
        long group = buffer.get(KEY, 0);
        int turn = buffer.get(INT, TURN);
        int rank = buffer.get(INT, RANK);
        MemorySegment rest = buffer.asSlice(REASON, length - REASON);
        if (buffer.get(INT, ERROR) == 0) {
            List<Integer> ranks = IntStream.range(0, (int) rest.byteSize() / Integer.BYTES)
                    .mapToObj(i -> rest.get(INT, (long) Integer.BYTES * i)).toList();
            return () -> losses.accept(new Lost(group, turn, rank, ranks));
        }
        Failure failure = new Failure(group, turn, rank, buffer.get(INT, OPERATION), buffer.get(INT, ERROR),
                TextOfPeer.of(rest));
        return () -> failures.accept(failure);
    }

    private void nextOrLater() {
        try {
            next();
        } catch (RuntimeException | Error noMemoryPerhaps) {
            listenLater(noMemoryPerhaps, this::next);
        }
    }

    private void over(Throwable why) {
        if (clearance != null) {
            clearance.end(why);
        }
        if (allowance != null) {
            allowance.end(why);
        }
    }

    @Override
    public void failed(Throwable why) {
        listenLater(why, this::listen);
    }

    /** After a message that was none of ours, or for lack of memory. Not at once, as the next may fail at once, too. */
    private void listenLater(Throwable why, Runnable listens) {
        if (node.isOpen()) {
            Aside.later(1, () -> attempt(listens));
        } else {
            over(why);
        }
    }

    private void attempt(Runnable listens) {
        try {
            listens.run();
        } catch (RuntimeException | Error notYet) {
            listenLater(notYet, listens);
        }
    }
}
