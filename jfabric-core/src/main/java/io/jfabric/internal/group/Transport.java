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
 * What collective operations need of a network: tagged messages between the members of a group, who are known by their
 * ranks. All methods may be called from any thread, and from inside a listener. Deadlines are moments of
 * the {@link Clock}; every message is over by then, or soon after.
 */
public interface Transport {
    /** Hears once how an operation ended, in any thread, perhaps before the operation has returned. */
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

    /** This member. */
    int rank();

    /** How many members. */
    int size();

    /** The longest message, in bytes. */
    long longest();

    /** A further reason why nothing comes in time, which follows on others; empty if there is none. */
    String whyLate();

    /**
     * Whether the receive of a message of so many bytes should be there as soon as its memory is free: the message is
     * not sent before its receiver has said that it is, and there are places enough.
     */
    boolean gainsByEarlyReceives(long bytes);

    /** Whether anything can still be sent. */
    boolean isOpen();

    /** Another member. */
    Peer peer(int rank);

    /** Whether a thread of its own may be the one that goes on with an operation, and uses its buffers. */
    boolean hasThread();

    /** Sends; waits its turn where the provider is busy. Gives what {@link #cancel} takes. */
    Object send(MemorySegment data, int to, long tag, long deadline, Listener listener);

    /** Receives the message with this tag, which nobody else sends to this member. */
    Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener);

    /** Ends an operation soon, if that can be done; its listener hears of it. */
    void cancel(Object operation);

    /** Has this run once the network uses the buffer of an operation that is over no more; at once, if that is so. */
    void whenReleased(Object operation, Runnable action);

    /**
     * Has a listener hear once, in any thread, that another member is gone and why; at once if it is already.
     *
     * @return what makes it hear no more
     */
    Runnable onGone(int rank, Consumer<FabricException> listener);

    /** Whether another member is gone as it has given this one up, which lives. */
    boolean hasGivenUp(int rank);

    /** Has a listener hear, in any thread, that who looked after the members does so no more. As {@link #onGone}. */
    Runnable onUnwatched(Runnable listener);

    /** Runs something then, in a thread of its own; gives what takes that back. */
    Runnable at(long moment, Runnable action);

    /**
     * Tells another member, if that can be done: one that is not told finds it out by its deadline. Done when it was
     * sent, or cannot be.
     */
    CompletableFuture<Void> tell(int rank, Failure failure);

    /** Runs all, whatever becomes of each; if one waits, another thread may go on with the rest. */
    void runAll(List<Runnable> actions);

    /** Memory for messages, at least so much; to be released. */
    MemorySegment allocate(long size);

    void release(MemorySegment memory);

    /** A future of what is named, whose waiters make progress where they can. */
    <T> CompletableFuture<T> future(String what);

    /** Completes such a future, where the program wants that: by a failure, or if that is null by a value. */
    <T> void complete(CompletableFuture<T> future, T value, Throwable failure);

    /** The buffers of the operation with such a future are the program's again: no message uses them any more. */
    void free(CompletableFuture<?> future);

    /** Nobody here receives messages with these tags any more, but members may have sent some, or be about to. */
    void abandon(long tag, long ignore);

    /** Messages with such tags begin. */
    void opened(long group);

    /** Nothing is sent and received any more with such tags. */
    void closed(long group);

    /** Runs something when the network uses nothing at all any more, as it is closed. */
    void atEnd(Runnable action);
}
