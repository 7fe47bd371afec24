// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Peer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A payload on its way to where the other side receives it, in as many messages as it takes. Each of them waits by
 * itself if the node has no place for it.
 */
public final class Pieces {
    private final Wire wire;
    private final MemorySegment[] payload;
    private final Peer peer;
    private final long to;
    private final BooleanSupplier isWanted;
    private final Consumer<Throwable> whenFailed;
    private final Runnable whenLost;
    private final boolean saysNothing;
    private final long until;
    private final Piece[] all;
    /** Whether a piece could not be sent: then the others are of no use. */
    private volatile boolean failed;
    private volatile boolean lost;

    /**
     * If the payload, which the provider can read, is no longer wanted, or cannot be sent, empty messages go in its
     * place.
     *
     * @param whenFailed gets why a piece cannot be sent, before the other side can know it
     * @param whenLost runs if the other side may wait for something that does not come, not even as an empty message
     * @param until how long it may take at least, by the clock; longer if the node's deadline is later
     */
    public Pieces(Wire wire, MemorySegment[] payload, Peer peer, long to, BooleanSupplier isWanted,
            Consumer<Throwable> whenFailed, Runnable whenLost, long until) {
        this(wire, payload, peer, to, isWanted, whenFailed, whenLost, true, until);
    }

    /** Always wanted. If it cannot be sent others have to say so, or empty messages do if {@code saysNothing}. */
    public Pieces(Wire wire, MemorySegment[] payload, Peer peer, long to, boolean saysNothing, Runnable whenLost) {
        this(wire, payload, peer, to, () -> true, why -> { }, whenLost, saysNothing, 0);
    }

    private Pieces(Wire wire, MemorySegment[] payload, Peer peer, long to, BooleanSupplier isWanted,
            Consumer<Throwable> whenFailed, Runnable whenLost, boolean saysNothing, long until) {
        this.wire = wire;
        this.payload = payload;
        this.peer = peer;
        this.to = to;
        this.isWanted = isWanted;
        this.whenFailed = whenFailed;
        this.whenLost = whenLost;
        this.saysNothing = saysNothing;
        this.until = until;
        this.all = new Piece[(int) wire.pieces(Parts.length(payload))];
        Arrays.setAll(all, Piece::new);
    }

    /** To be called once. Done when each piece has gone, or trying is of no use; the memory may still be read. */
    public CompletableFuture<Void> send() {
        for (Piece piece : all) {
            piece.send();
        }
        return each(piece -> piece.sent);
    }

    /** What has not gone yet is not to go any more, except as empty messages. */
    public void giveUp() {
        for (Piece piece : all) {
            CompletableFuture<Void> last = piece.last;
            if (last != null && !piece.isNothing) {
                last.cancel(false);
            }
        }
    }

    /** When nothing of it is read any more. */
    public CompletableFuture<Void> released() {
        return each(piece -> piece.released);
    }

    private CompletableFuture<Void> each(Function<Piece, CompletableFuture<Void>> which) {
        return all.length == 1 ? which.apply(all[0])
                : CompletableFuture.allOf(Arrays.stream(all).map(which).toArray(CompletableFuture[]::new));
    }

    /** Whether this is how posting fails if the memory was freed; also if the node is closed, but then nobody waits. */
    public static boolean isUnusable(Throwable why) {
        return why instanceof IllegalStateException || why instanceof WrongThreadException;
    }

    /** One of the messages. */
    private final class Piece extends Resending {
        private final int number;
        private final CompletableFuture<Void> sent = new CompletableFuture<>();
        private final CompletableFuture<Void> released = new CompletableFuture<>();
        /** Null if it could not even be started. */
        private volatile CompletableFuture<Void> last;
        /** Whether an empty message is sent in its place. */
        private boolean isNothing;
        /** Why the piece itself could not be sent, if an empty message was sent for that reason. */
        private Throwable why;

        Piece(int number) {
            this.number = number;
        }

        @Override
        protected boolean isForAnyThread() {
            return failed || !isWanted.getAsBoolean() || Parts.areForAnyThread(payload);
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
                last = wire.sendPiece(payload, number, peer, to, until);
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
                    // now, not after that: what comes of it is not why the piece failed
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

        /** Whether the piece can no longer arrive: else the other side would get an empty one besides. */
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
