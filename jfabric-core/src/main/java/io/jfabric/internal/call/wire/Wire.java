// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.Common;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.operation.Receive;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/**
 * How callers and services use a node: with tags that programs cannot use, and a way to send that needs no completion.
 * Any thread.
 */
public final class Wire {
    /** Targets of messages, and tags of payloads. */
    private static final long REQUESTS = 1L << 48;
    private static final long REPLIES = 2L << 48;
    private static final long PAYLOADS = OwnTags.CALLS | 3L << 48;
    private static final long NUMBER = (1L << 48) - 1;
    /** Tags of payloads that their senders have chosen: they say which service and connection the payload is for. */
    private static final long EAGER_PAYLOADS = 1L << 61 | 1L << 60;
    static final int SEQUENCE_BITS = 28;
    /** Some providers copy longer messages once more, or ask first. */
    private static final int LONGEST_BUNDLE = 8 << 10;
    /** The longest payload that may ever be sent before its receiver has made room. */
    public static final long EAGER = 4 << 20;

    /** The length of what comes in place of an answer that was given up, as its receiver had made no room in time. */
    public static final int LATE = 1;
    private static final MemorySegment LATE_PAYLOAD = Arena.global().allocate(LATE);

    public final NodeImpl node;
    private final long injectSize;
    private final boolean injects;
    private final long messageSize;
    private final long eagerSize;
    private final long mostParts;
    private final long longestInParts;

    Wire(NodeImpl node) {
        this.node = node;
        this.injectSize = node.info().tx().injectSize();
        Quirks quirks = Quirks.of(node.info().provider());
        this.injects = !quirks.has(Quirk.FETCHES_GO_ALONE);
        this.messageSize = node.info().endpoint().maxMessageSize();
        long early = Math.min(EAGER, Math.min(messageSize, quirks.longestEarlyMessage()));
        this.eagerSize = quirks.has(Quirk.LATE_RECEIVES_MISLEAD) ? Math.min(injectSize, early) : early;
        this.mostParts = node.common().pieces();
        this.longestInParts = quirks.longestInPieces();
    }

    public static long requests(int service) {
        return REQUESTS | service;
    }

    public static long replies(long caller) {
        return REPLIES | caller & NUMBER;
    }

    static boolean isRequests(long tag) {
        return (tag & ~0xFFFFL) == REQUESTS;
    }

    static boolean isReplies(long tag) {
        return (tag & ~NUMBER) == REPLIES;
    }

    public static boolean isPayload(long tag) {
        return (tag & ~NUMBER) == PAYLOADS;
    }

    /** The tag of a payload that follows its call at once; the count is the number of such payloads before. */
    public static long eager(int service, int connection, int count) {
        return eager(service, connection) | PayloadTags.sequence(count);
    }

    private static long eager(int service, int connection) {
        return EAGER_PAYLOADS | ((long) service << 16 | connection) << SEQUENCE_BITS;
    }

    /** Whether it can be a tag from {@link #eager}, of any connection. */
    static boolean isEager(long tag, int service) {
        return tag >>> SEQUENCE_BITS + Short.SIZE == eager(service, 0) >>> SEQUENCE_BITS + Short.SIZE;
    }

    /** Whether it can be a tag from {@link #eager}. */
    public static boolean isEager(long tag, int service, int connection) {
        return tag >>> SEQUENCE_BITS == eager(service, connection) >>> SEQUENCE_BITS;
    }

    /** The longest bundle: as much as the provider takes at once, if that is enough. */
    long bundleSize() {
        return injectSize < Outlet.LONGEST_PART ? LONGEST_BUNDLE : Math.min(injectSize, LONGEST_BUNDLE);
    }

    public long messageSize() {
        return messageSize;
    }

    /** The longest payload that may be sent before its receiver has made room. */
    public long eagerSize() {
        return eagerSize;
    }

    public static long newNumber() {
        return PayloadTags.next();
    }

    /** Receives messages to callers and services; not payloads. */
    StandingReceive receive(StandingReceive.Taker taker) {
        return node.receiveAgain(OwnTags.CALLS, taker);
    }

    /**
     * Sends a short message. All have the same tag, and say in the header whom they are for: a provider of libfabric
     * 1.17 does not find messages that came before the receive if that ignores bits of the tag.
     *
     * @return null if the buffer may be used again at once; else a future that is done when it may
     */
    public CompletableFuture<Void> send(MemorySegment buffer, long length, Peer peer, long target) {
        return send(buffer, length, peer, target, null);
    }

    /** The same through an outlet, which may {@link #drop} it. */
    CompletableFuture<Void> send(MemorySegment buffer, long length, Peer peer, long target, Outlet outlet) {
        Frame.target(buffer, target);
        // the number of a closed peer may be another's by now
        if (injects && length <= injectSize && peer.isOpen() && peer.waiting() == 0
                && tryInject(buffer, length, peer)) {
            return null;
        }
        return node.internal().send(buffer, length, peer, OwnTags.CALLS, outlet);
    }

    /** Gives up those messages of an outlet that the provider has not got yet. */
    void drop(Peer peer, Outlet outlet, Throwable why) {
        ((PeerImpl) peer).transmits().drop(operation -> operation instanceof TaggedSend send && send.isBy(outlet),
                why);
    }

    private boolean tryInject(MemorySegment buffer, long length, Peer peer) {
        try {
            boolean sent = peer.endpoint().tagged().inject(buffer, 0, length, peer.fabricAddress(), OwnTags.CALLS);
            if (sent) {
                node.drive().moved().injected(length);
                node.drive().nudge();
            }
            return sent;
        } catch (FabricException | IllegalStateException | IllegalArgumentException busyOrClosed) {
            // or its address is gone: sending it through the node will say what is wrong
            return false;
        }
    }

    /** A payload that is being received: its tag, and the futures of all and of each piece. */
    public record Incoming(NodeImpl node, long tag, CompletableFuture<Long> received,
            List<CompletableFuture<Received>> pieces) {
        /** Gives up what has not come. */
        public void cancel() {
            pieces.forEach(piece -> piece.cancel(false));
        }

        /** The same, for a reason. */
        public void giveUp(Throwable why) {
            received.completeExceptionally(why);
            cancel();
        }

        /** When nothing is written into the memory any more: usually soon after the end of what was given up. */
        public CompletableFuture<Void> released() {
            return CompletableFuture.allOf(pieces.stream().map(node::released).toArray(CompletableFuture[]::new));
        }

        /** The tag of each piece. */
        public List<Long> tags() {
            return LongStream.range(0, pieces.size()).mapToObj(piece -> pieceTag(tag, piece)).toList();
        }
    }

    /** The first piece has the tag of the payload, which may be of another kind if it is the only one. */
    private static long pieceTag(long first, long piece) {
        return piece == 0 ? first : PAYLOADS | first + piece & NUMBER;
    }

    /** How many receives the provider may have. Those that wait, maybe in vain, are to take only a part of them. */
    int receives() {
        long queue = node.info().rx().size();
        return (int) Math.min(node.options().receiveLimit(), queue <= 0 ? Long.MAX_VALUE : queue);
    }

    /** Posts receives for a payload. The future gives how much came. */
    public Incoming receivePayload(MemorySegment into, Duration deadline) {
        long pieces = pieces(into.byteSize());
        long first = PAYLOADS | PayloadTags.next(pieces);
        if (pieces == 1) {
            return receivePayload(into, first, deadline);
        }
        List<CompletableFuture<Received>> all = new ArrayList<>();
        try {
            for (long piece = 0; piece < pieces; piece++) {
                long offset = piece * messageSize;
                MemorySegment part = into.asSlice(offset, Math.min(messageSize, into.byteSize() - offset));
                CompletableFuture<Received> one = node.payloads(deadline).receive(part, pieceTag(first, piece));
                all.add(one);
                if (one.isCompletedExceptionally()) {
                    // there is no place for all of it
                    all.forEach(before -> before.cancel(false));
                    return new Incoming(node, first, one.thenApply(Received::length), all);
                }
            }
        } catch (RuntimeException notAll) {
            all.forEach(piece -> piece.cancel(false));
            throw notAll;
        }
        return new Incoming(node, first, CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream().mapToLong(one -> one.join().length()).sum()), all);
    }

    /**
     * The same for one piece, but only if it can be posted at once: else the future has failed already with an
     * {@link OverloadException}, and nothing was done.
     */
    public Incoming receivePayloadAtOnce(MemorySegment into, Duration deadline) {
        long tag = PAYLOADS | PayloadTags.next();
        Common common = node.common();
        CompletableFuture<Received> received = node.drive().start(Receive.atOnce(common, common.payloads(),
                Clock.after(deadline), into, tag));
        return new Incoming(node, tag, received.thenApply(Received::length), List.of(received));
    }

    /** The same for one piece, with a tag that was agreed on. */
    public Incoming receivePayload(MemorySegment into, long tag, Duration deadline) {
        CompletableFuture<Received> received = node.payloads(deadline).receive(into, tag);
        return new Incoming(node, tag, received.thenApply(Received::length), List.of(received));
    }

    /** How many bytes of a payload {@linkplain Parts#copied must be copied} so that the provider can read it. */
    public long toCopy(MemorySegment[] payload) {
        boolean mayLieApart = payload.length == 1 || payload.length <= mostParts
                && Math.min(messageSize, Parts.length(payload)) <= longestInParts;
        return mayLieApart ? Parts.heapLength(payload) : Parts.length(payload);
    }

    /**
     * Sends one of the {@link #pieces} of a payload to where the other side has made room for all of them. It has until
     * that moment if the node's deadline is before.
     */
    CompletableFuture<Void> sendPiece(MemorySegment[] payload, long piece, Peer peer, long tag, long until) {
        long offset = piece * messageSize;
        long length = Math.min(messageSize, Parts.length(payload) - offset);
        return node.internal().send(Parts.slice(payload, offset, length), peer, pieceTag(tag, piece), until);
    }

    /** Sends an empty message in place of a piece. */
    CompletableFuture<Void> sendNoPiece(long piece, Peer peer, long tag) {
        return node.internal().send(MemorySegment.NULL, 0, 0, peer, pieceTag(tag, piece));
    }

    /** Sends an empty message to where the other side receives a payload of one piece. */
    public CompletableFuture<Void> sendNoPayload(Peer peer, long tag) {
        return sendNoPiece(0, peer, tag);
    }

    /**
     * Tells the other side, which has made room for a payload of that size, that this was too {@link #LATE}. Does
     * nothing if the peer or the node is closed.
     */
    public CompletableFuture<Void> tryToSayLate(long size, Peer peer, long tag) {
        try {
            CompletableFuture<Void> first = size > LATE ? node.internal().send(LATE_PAYLOAD, peer, tag)
                    : sendNoPiece(0, peer, tag);
            for (long piece = 1; piece < pieces(size); piece++) {
                sendNoPiece(piece, peer, tag);
            }
            return first;
        } catch (IllegalStateException | IllegalArgumentException | FabricException closed) {
            // then nobody waits for it
            return CompletableFuture.completedFuture(null);
        }
    }

    /** How many messages a payload of that size takes. */
    public long pieces(long size) {
        return Math.max(1, size / messageSize + (size % messageSize == 0 ? 0 : 1));
    }
}
