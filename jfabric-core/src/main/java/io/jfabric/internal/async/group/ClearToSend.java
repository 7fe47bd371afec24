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
 * Holds a group's long messages back until their receivers say that they are clear to send, where the provider never
 * gives back what it takes for a message that comes before its receive, or lets others wait for it. A message that
 * waits here holds none of the places that other messages need, so members never wait for each other's places. Any
 * thread.
 */
final class ClearToSend {
    /** In a key: it is not to be used any more. Tags leave that bit alone. */
    private static final long REVOKED = Long.MIN_VALUE;
    /** Above what differs in tags: a key has the mark alone there; a question neither, but is a tag otherwise. */
    private static final long KIND = REVOKED | Tags.MARK;
    /** In place of the mark, in a key: the answer to a question, of no use to a message that does not wait. */
    private static final long ANSWER = REVOKED;
    /** In nanoseconds: for how long that waits for its turn. */
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

    /** Starts a message once its receiver, who calls it by this key, is ready; ends it if that comes too late. */
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

    /** The receiver may have been ready so long before that this was forgotten. */
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
            // nobody sends then; its memory is released when the provider has let go of it
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
                // it may have gone ahead
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

    /** A sender has forgotten whether it was told, or was not: then it will be. */
    private void asked(long tag) {
        Told.One one = told.of(tag);
        if (one != null && one.ask()) {
            answer(one);
        }
    }

    /** The receive is not there any more: a sender that has not come so far does not send then. */
    private void revoke(PeerImpl sender, long key) {
        if (!node.isOpen() || !sender.isOpen()) {
            return;
        }
        try {
            words.tell(sender, key | REVOKED, Clock.after(REVOCATION));
        } catch (IllegalStateException closed) {
            // nor does the sender need to know
        }
    }

    /** Another member has said so. */
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

    /** Nothing is heard any more. */
    void end(Throwable why) {
        synchronized (this) {
            over = why;
        }
        waiting.endAll(why);
    }
}
