// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The network that collective operations need: tagged messages between the members of a group, who are known by their
 * ranks. All methods may be called from any thread, and from inside a listener. Deadlines are moments of the
 * {@link Clock}; every message is over by then, or soon after.
 */
public interface Transport {
    /** Told once how an operation has ended, in any thread, perhaps before the call that started it has returned. */
    @FunctionalInterface
    interface Listener {
        /**
         * The operation is over; after a failure see {@link #whenReleased}.
         *
         * @param bytes how many were received
         * @param failure null if none
         */
        void ended(long bytes, Throwable failure);
    }

    /** The rank of this member. */
    int rank();

    /** The number of members. */
    int size();

    /** The longest message, in bytes. */
    long longest();

    /** One more reason why nothing comes in time, to be added to others; empty if there is none. */
    String whyLate();

    /**
     * Whether the receive of a message of this many bytes should be posted as soon as its memory is free: as the
     * message is not sent before its receiver is known to be ready, and there are enough places.
     */
    boolean gainsByEarlyReceives(long bytes);

    /** Whether anything can still be sent. */
    boolean isOpen();

    /** The members in the order of their ranks; for this one, whatever stands for it. */
    List<Peer> members();

    /** Whether the network has a thread that may go on with an operation, and use its buffers. */
    boolean hasThread();

    /** Sends a message, which waits its turn if the provider is busy. Returns what {@link #cancel} takes. */
    Object send(MemorySegment data, int to, long tag, long deadline, Listener listener);

    /** Receives the message with this tag, which nobody else sends to this member. */
    Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener);

    /** Ends an operation soon, if possible; its listener is told. */
    void cancel(Object operation);

    /** Runs an action once the network does not use the buffer of an ended operation any more; at once, if so. */
    void whenReleased(Object operation, Runnable action);

    /**
     * Has the listener told once, in any thread, that another member is gone and why; at once if it is already.
     *
     * @return what removes the listener
     */
    Runnable onGone(int rank, Consumer<FabricException> listener);

    /** Whether another member is gone because it has given this one up, which lives. */
    boolean hasGivenUp(int rank);

    /** Has the listener told, in any thread, that nobody watches the members any more. As {@link #onGone}. */
    Runnable onUnwatched(Runnable listener);

    /** Runs an action at that moment, in a thread of its own; returns what takes it back. */
    Runnable at(long moment, Runnable action);

    /**
     * Tells another member, if possible: one that is not told finds out by its deadline. Done when the word was sent,
     * or cannot be.
     */
    CompletableFuture<Void> tell(int rank, Failure failure);

    /** Tells another member, if possible. */
    void tell(int rank, Lost lost);

    /** Runs all, whatever becomes of each; if one waits, another thread may go on with the rest. */
    void runAll(List<Runnable> actions);

    /** Memory for messages, at least this much; to be released. */
    MemorySegment allocate(long size);

    void release(MemorySegment memory);

    /** A future of what is named, whose waiters make progress if they can. */
    <T> CompletableFuture<T> future(String what);

    /** A future that only {@link #complete} completes; with the method that gives it. */
    CompletableFuture<Void> end(String method);

    /** Completes one of these futures where the program wants that: with a failure or, if that is null, a value. */
    <T> void complete(CompletableFuture<T> future, T value, Throwable failure);

    /** The buffers of the operation with this future are the program's again: no message uses them any more. */
    void free(CompletableFuture<?> future);

    /** Nobody here receives messages with these tags any more, but members may have sent some, or be about to. */
    void abandon(long tag, long ignore);

    /** Messages with the tags of this group begin. */
    void opened(long group);

    /** No more messages with the tags of this group are sent or received. */
    void closed(long group);

    /** Runs an action when the network uses nothing at all any more, as it is closed. */
    void atEnd(Runnable action);
}
