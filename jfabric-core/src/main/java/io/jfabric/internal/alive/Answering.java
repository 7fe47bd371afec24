// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricError;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.node.Strangers;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers those who ask, and asks them who they are. */
final class Answering {
    private final NodeImpl node;
    private final Sending sending;
    private final long interval;
    private final PeerFailures failures;
    private final Runnable retry;
    /** Of the thread of the clock. */
    private final MemorySegment pong;
    private final Askers askers;
    private final Goodbye goodbye;
    private final GivenUp givenUp;
    /** What is to be answered, as the provider has refused it: the last question of each who asked. */
    private final Map<Way, Owed> owed = new ConcurrentHashMap<>();

    /** An answer, and since when it is wanted: after an interval nobody waits for it, and who asked has asked again. */
    private record Owed(long key, long since) {
    }

    /** With what runs when {@link #tryAgain} is wanted. */
    Answering(NodeImpl node, Sending sending, long interval, PeerFailures failures, Runnable retry) {
        this.node = node;
        this.sending = sending;
        this.interval = interval;
        this.failures = failures;
        this.retry = retry;
        this.pong = sending.room();
        this.askers = Askers.of(node);
        this.goodbye = new Goodbye(sending, askers);
        this.givenUp = node.attached(GivenUp.class, opened -> new GivenUp());
    }

    /** Out of the buffer of the question: who asks says where he is. */
    void answer(MemorySegment beat) {
        PeerImpl peer = Strangers.peer(node, Beat.address(beat));
        if (peer == null) {
            return;
        }
        long key = Beat.key(beat);
        Way back = sending.wayBack(beat, peer);
        if (Beat.type(beat) == Beat.WHO) {
            answer(beat, key, back);
            return;
        }
        Askers.Asker asker = askers.at(peer);
        long stated = Beat.incarnation(beat);
        if (asker.isGone(stated, System.nanoTime(), interval)) {
            end(asker);
            return;
        }
        asker.asksWith(key, stated);
        answer(beat, key, back);
        if (asker.isDoubtful(stated, System.nanoTime())) {
            // if that is refused: when it asks next
            sending.ask(beat, Beat.WHO, asker.key, Way.main(peer));
            Way side = back.isMain() && !asker.isKnown() ? null : sending.sideWay(peer);
            if (side != null) {
                sending.ask(beat, Beat.WHO, asker.key, side);
            }
        }
    }

    private void answer(MemorySegment beat, long key, Way back) {
        if (!sending.answer(beat, answerTo(key), key, back)) {
            owed.put(back, new Owed(key, System.nanoTime()));
            retry.run();
        }
    }

    private int answerTo(long key) {
        return givenUp.contains(key) ? Beat.GIVEN_UP : goodbye.isSaid() ? Beat.GOODBYE : Beat.PONG;
    }

    /** One of those who ask says which process it is, if it was asked with that key; null if not, or it has ended. */
    PeerImpl heard(long key, long incarnation) {
        Askers.Asker asker = askers.find(key);
        if (asker == null) {
            return null;
        }
        if (!asker.answered(incarnation)) {
            end(asker);
            return null;
        }
        return asker.peer;
    }

    private void end(Askers.Asker asker) {
        if (askers.forget(asker)) {
            failures.report(asker.peer, FabricError.ECONNRESET, "its process was started anew");
        }
    }

    Goodbye goodbye() {
        return goodbye;
    }

    /** A peer is given up here: if it asks, it is to hear that. */
    void givesUp(PeerImpl peer) {
        for (long key : askers.asksWith(peer)) {
            givenUp.add(key);
        }
    }

    /** Whether something is refused again. In the thread of the clock. */
    boolean tryAgain() {
        boolean again = false;
        for (Map.Entry<Way, Owed> answer : owed.entrySet()) {
            long key = answer.getValue().key;
            if (!answer.getKey().peer().isOpen() || System.nanoTime() - answer.getValue().since > interval
                    || sending.answer(pong, answerTo(key), key, answer.getKey())) {
                owed.remove(answer.getKey(), answer.getValue());
            } else {
                again = true;
            }
        }
        return again;
    }

    void forgetClosed() {
        askers.forgetClosed();
    }

    void close() {
        owed.clear();
    }
}
