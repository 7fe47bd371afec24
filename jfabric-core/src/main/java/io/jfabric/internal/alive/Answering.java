// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricError;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.node.Strangers;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers the peers that ask, and asks them in turn which process they are. */
final class Answering {
    private final NodeImpl node;
    private final Sending sending;
    private final long interval;
    private final PeerFailures failures;
    private final Runnable retry;
    /** For the clock thread only. */
    private final MemorySegment pong;
    private final Askers askers;
    private final Goodbye goodbye;
    private final GivenUp givenUp;
    /** Answers that the provider has refused, to be sent again: for each way, the one to the last question. */
    private final Map<Way, Owed> owed = new ConcurrentHashMap<>();

    /** An answer that is due, and since when: after an interval nobody waits for it, as the asker has asked again. */
    private record Owed(long key, long since) {
    }

    /** {@code retry} is run when {@link #tryAgain} is to be called. */
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

    /** The answer is written to the buffer of the question, which says where the asker is. */
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
            // if this is refused, it is sent with the next question
            if (asker.asksMain()) {
                sending.ask(beat, Beat.WHO, asker.key, Way.main(peer));
            }
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

    /**
     * An asker has said which process it is. Null if none was asked with that key, or if it is another process than
     * before, which ends the peer.
     */
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

    /** This node gives up a peer: if that asks again, it is told so. */
    void givesUp(PeerImpl peer) {
        for (long key : askers.asksWith(peer)) {
            givenUp.add(key);
        }
    }

    /** Sends refused answers again; returns whether any was refused once more. Clock thread only. */
    boolean tryAgain() {
        boolean again = false;
        for (Map.Entry<Way, Owed> answer : owed.entrySet()) {
            long key = answer.getValue().key;
            if (answer.getKey().isGone() || System.nanoTime() - answer.getValue().since > interval
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
