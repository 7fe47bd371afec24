// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.group.Tags;

/**
 * Holds back a group's long messages until their receivers say that they are ready, for providers that never give back
 * what they take for a message that comes before its receive, or let others wait for it. A message that waits here
 * takes none of the places that other messages need, so members never wait for each other's places. Any thread.
 */
final class ClearToSend {
    /** In a key: it must not be used any more. Tags leave this bit alone. */
    private static final long REVOKED = Long.MIN_VALUE;
    /** The bits that tell what a word is: a key has only the mark, a question neither, but else is a tag. */
    private static final long KIND = REVOKED | Tags.MARK;
    /** In place of the mark, in a key: the answer to a question, which is ignored if no message waits. */
    private static final long ANSWER = REVOKED;
    /** How long a revocation may wait for its turn, in nanoseconds. */
    private static final long REVOCATION = 1_000_000_000;

    private final NodeImpl node;
    private final Drive drive;
    private final Words words;
    private final Leftovers leftovers;
    private final long above;
    private final HeldBack waiting;
    private final EarlyKeys early = new EarlyKeys();
    private final Told told = new Told();
    private Throwable over;

    ClearToSend(NodeImpl node, Words words, Leftovers leftovers, long above) {
        this(node, words, leftovers, above, Ticks::once);
    }

    ClearToSend(NodeImpl node, Words words, Leftovers leftovers, long above, Sweep.Timer timer) {
        this.node = node;
        this.leftovers = leftovers;
        this.drive = node.drive();
        this.waiting = new HeldBack(drive, timer);
        this.words = words;
        this.above = above;
    }

    /** The longest message, in bytes, that need not wait. */
    long above() {
        return above;
    }

    /** Starts a message once its receiver has said with this key that it is ready; ends it if that takes too long. */
    void await(TaggedSend message, PeerImpl receiver, long tag, long key) {
        Throwable refused;
        boolean waits = false;
        boolean forgotten = false;
        synchronized (this) {
            refused = over;
            if (refused == null && !early.take(key)) {
                waiting.add(message, key);
                waits = true;
                forgotten = early.isForgetful();
            }
        }
        if (forgotten) {
            ask(receiver, tag, key, message);
        } else if (refused != null) {
            message.end(refused);
        } else if (!waits) {
            waiting.start(message);
        }
    }

    /** The receiver may have been ready so long ago that its key was forgotten. */
    private void ask(PeerImpl receiver, long tag, long key, TaggedSend message) {
        try {
            words.tell(receiver, tag & ~KIND, message.deadline()).whenComplete((done, failure) -> {
                if (failure != null) {
                    endWaiting(message, key, failure);
                }
            });
        } catch (RuntimeException | Error e) {
            endWaiting(message, key, e);
        }
    }

    private void endWaiting(TaggedSend message, long key, Throwable why) {
        if (withdraw(message, key)) {
            message.end(why);
        }
    }

    /** Takes a message back; false if it does not wait any more. */
    boolean withdraw(TaggedSend message, long key) {
        return waiting.withdraw(message, key);
    }

    /** Tells the sender of a message to go ahead, as soon as the provider has the receive. */
    void tell(PeerImpl sender, long tag, long key, Operation<?> receive) {
        try {
            tellOnceReady(sender, tag, key, receive);
        } catch (RuntimeException | Error e) {
            // then nobody sends; the memory is released when the provider lets go of it
            receive.completeExceptionally(e);
        }
    }

    private void tellOnceReady(PeerImpl sender, long tag, long key, Operation<?> receive) {
        if (receive.isPending()) {
            drive.later(() -> {
                boolean posted = !receive.isPending();
                if (posted) {
                    drive.atOnce(() -> tell(sender, tag, key, receive));
                }
                return posted;
            });
        } else if (receive.isPosted()) {
            send(sender, tag, key, receive);
        }
    }

    private void send(PeerImpl sender, long tag, long key, Operation<?> receive) {
        say(told.add(tag, sender, key, receive), key);
        receive.whenComplete((received, failure) -> {
            if (failure != null) {
                revoke(sender, key);
                // the sender may have sent already
                leftovers.receiveOne(tag);
            }
        });
    }

    private void say(Told.One one, long word) {
        words.tell(one.sender, word, one.receive.deadline()).whenComplete((done, failure) -> {
            if (failure != null) {
                // nothing will come
                one.receive.completeExceptionally(failure);
            } else if (one.end()) {
                answer(one);
            }
        });
    }

    private void answer(Told.One one) {
        try {
            say(one, one.key & ~KIND | ANSWER);
        } catch (RuntimeException | Error e) {
            one.receive.completeExceptionally(e);
        }
    }

    /** A sender asks whether it was told, which it may have forgotten; if it was not told yet, it will be. */
    private void asked(long tag) {
        Told.One one = told.of(tag);
        if (one != null && one.ask()) {
            answer(one);
        }
    }

    /** The receive is gone: a sender that has not come that far yet does not send then. */
    private void revoke(PeerImpl sender, long key) {
        if (!node.isOpen() || !sender.isOpen()) {
            return;
        }
        try {
            words.tell(sender, key | REVOKED, Clock.after(REVOCATION));
        } catch (IllegalStateException closed) {
            // the sender need not know then
        }
    }

    /** Another member has sent a word. */
    void heard(long word) {
        long key = word & ~KIND | Tags.MARK;
        long kind = word & KIND;
        if (kind == 0) {
            asked(key);
        } else if (kind == KIND) {
            forget(key);
        } else {
            clear(key, kind != ANSWER);
        }
    }

    private synchronized void forget(long key) {
        early.take(key);
    }

    private void clear(long key, boolean mayBeEarly) {
        TaggedSend message;
        synchronized (this) {
            message = waiting.take(key);
            if (message == null && mayBeEarly) {
                early.add(key);
            }
        }
        if (message != null) {
            waiting.start(message);
        }
    }

    /** No word will come any more. */
    void end(Throwable why) {
        synchronized (this) {
            over = why;
        }
        waiting.endAll(why);
    }
}
