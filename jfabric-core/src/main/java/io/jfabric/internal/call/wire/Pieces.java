// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Peer;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A payload on its way to where the other side receives it: of as many messages as it takes, each of which waits by
 * itself if the node has no place for it.
 */
public final class Pieces {
    private final Wire wire;
    private final MemorySegment payload;
    private final Peer peer;
    private final long to;
    private final BooleanSupplier isWanted;
    private final Consumer<Throwable> whenFailed;
    private final Runnable whenLost;
    private final boolean saysNothing;
    private final Piece[] all;
    /** Whether one of them could not be sent: then the others are of no use. */
    private volatile boolean failed;
    private volatile boolean lost;

    /**
     * If it is not wanted any more, or cannot be sent, messages of nothing go in its place.
     *
     * @param whenFailed gets why a piece cannot be sent, before the other side can know it
     * @param whenLost runs if the other side may wait for what does not come, not even as nothing
     */
    public Pieces(Wire wire, MemorySegment payload, Peer peer, long to, BooleanSupplier isWanted,
            Consumer<Throwable> whenFailed, Runnable whenLost) {
        this(wire, payload, peer, to, isWanted, whenFailed, whenLost, true);
    }

    /** Always wanted. If it cannot be sent it is for others to say so, unless a message of nothing is to. */
    public Pieces(Wire wire, MemorySegment payload, Peer peer, long to, boolean saysNothing, Runnable whenLost) {
        this(wire, payload, peer, to, () -> true, why -> { }, whenLost, saysNothing);
    }

    private Pieces(Wire wire, MemorySegment payload, Peer peer, long to, BooleanSupplier isWanted,
            Consumer<Throwable> whenFailed, Runnable whenLost, boolean saysNothing) {
        this.wire = wire;
        this.payload = payload;
        this.peer = peer;
        this.to = to;
        this.isWanted = isWanted;
        this.whenFailed = whenFailed;
        this.whenLost = whenLost;
        this.saysNothing = saysNothing;
        this.all = new Piece[(int) wire.pieces(payload.byteSize())];
        Arrays.setAll(all, Piece::new);
    }

    /** Once. Done when each has gone, or there is no use in trying; the memory may still be read. */
    public CompletableFuture<Void> send() {
        for (Piece piece : all) {
            piece.send();
        }
        return each(piece -> piece.sent);
    }

    /** When nothing of it is read any more. */
    public CompletableFuture<Void> released() {
        return each(piece -> piece.released);
    }

    private CompletableFuture<Void> each(Function<Piece, CompletableFuture<Void>> which) {
        return all.length == 1 ? which.apply(all[0])
                : CompletableFuture.allOf(Arrays.stream(all).map(which).toArray(CompletableFuture[]::new));
    }

    /** Whether that is what posting says of memory that was freed, also that the node is closed: then nobody waits. */
    public static boolean isUnusable(Throwable why) {
        return why instanceof IllegalStateException || why instanceof WrongThreadException;
    }

    /** One of the messages. */
    private final class Piece extends Resending {
        private final int number;
        private final CompletableFuture<Void> sent = new CompletableFuture<>();
        private final CompletableFuture<Void> released = new CompletableFuture<>();
        /** Null if it could not even be begun. */
        private CompletableFuture<Void> last;
        /** Whether nothing is sent in its place. */
        private boolean isNothing;
        /** Why, if that is as it could not be sent itself. */
        private Throwable why;

        Piece(int number) {
            this.number = number;
        }

        @Override
        protected boolean isForAnyThread() {
            return failed || !isWanted.getAsBoolean() || Buffers.isForAnyThread(payload);
        }

        @Override
        protected CompletableFuture<Void> sendOnce() {
            last = null;
            isNothing = failed || !isWanted.getAsBoolean();
            if (isNothing) {
                last = wire.sendNoPiece(number, peer, to);
                return last;
            }
            try {
                last = wire.sendPiece(payload, number, peer, to);
            } catch (WrongThreadException elsewhere) {
                return CompletableFuture.failedFuture(elsewhere);
            }
            return last;
        }

        @Override
        protected void over(Throwable failure) {
            if (failure != null && !isNothing) {
                failed = true;
                whenFailed.accept(failure);
                if (saysNothing && isReleased()) {
                    why = failure;
                    send();
                    // not when that has come: what the other side says then is not why it failed
                    end(failure);
                    return;
                }
            }
            if (failure != null && !lost) {
                lost = true;
                whenLost.run();
            }
            wire.node.whenReleased(last, last == null ? null : failure, () -> released.complete(null));
            end(why != null ? why : failure);
        }

        /** Whether it comes no more: else the other side would get nothing besides. */
        private boolean isReleased() {
            return last == null || wire.node.released(last).isDone();
        }

        private void end(Throwable failure) {
            if (failure == null) {
                sent.complete(null);
            } else {
                sent.completeExceptionally(failure);
            }
        }
    }
}
