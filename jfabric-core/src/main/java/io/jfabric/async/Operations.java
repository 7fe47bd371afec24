// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricException;
import io.jfabric.internal.async.operation.OperationsImpl;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a node can do: every method starts an operation and returns a future. Any thread, platform or virtual, may call
 * them; none of them blocks.
 *
 * <p><b>Order.</b> Operations of one thread to one peer are started in the order of the calls, and so are its receives.
 * While the provider is busy, operations wait in the node.
 *
 * <p><b>Memory.</b> Buffers are native memory and belong to the network until the future is done, and if that fails,
 * until {@link Node#released} says so: what comes late still comes into them. Memory of {@link Node#memory()} cannot be
 * freed before. Memory that is confined to a thread ({@code Arena.ofConfined()}) is
 * refused with a {@link WrongThreadException}, unless callers make all progress
 * ({@link NodeOptions#withCallerProgress()}): then it is for that thread to make it, as it may have to hand over what
 * the provider was too busy to take at once.
 *
 * <p><b>Failure.</b> The cause is a {@link FabricException}: the provider's, {@code FI_ETIMEDOUT} after the deadline,
 * an {@link OverloadException} ({@code FI_EAGAIN}) if more operations wait than the node's options allow,
 * {@code FI_ECANCELED} when the node or the peer was closed under way. Wrong arguments, and a node or peer that is
 * closed already, throw an exception from the call or, if the operation had to wait, fail the future:
 * {@link IllegalArgumentException}, {@link IndexOutOfBoundsException}, {@link IllegalStateException}.
 *
 * <p><b>Giving up.</b> The deadline of {@link Node#within}, {@code cancel}, {@code orTimeout} and all methods that
 * complete a future, such as {@code completeOnTimeout} and {@code completeAsync}, end the operation too: a receive that
 * was given up takes no message. If the message came first, the future has it; also if the message has begun to arrive
 * by then: {@code cancel} gives false, the future is not done, and ends with the message, later than its deadline. A
 * peer that does not finish its message cannot delay that for ever: the future ends as given up when an operation that
 * began then would be late ({@link NodeOptions#withDeadline}, and at least one second; 30 seconds where there is no
 * limit), as the peer's send is late as well, or earlier if the provider finds that the peer has gone. With
 * {@link NodeOptions#withCallerProgress} somebody has to make the progress for that; {@code orTimeout} and
 * {@code completeOnTimeout} do. The provider may also have too much to do to say at once that a receive was cancelled:
 * then, too, {@code cancel} gives false, and the future is cancelled soon. Providers that cannot cancel ({@code udp},
 * {@code verbs} by itself; an untagged receive from one peer with some) are the exception: the future ends, and the
 * receive takes the next message that fits it, which is lost. A send that is with the provider often cannot be taken
 * back; then only the future ends. {@code get} with a timeout does not give up the operation: it may be called again.
 * All this is said of the future that a method returns. Giving up one that was derived from it ({@code thenApply},
 * {@code allOf}) ends only that one: a receive still takes the next message, into a buffer that is still the network's.
 *
 * <p><b>Tags.</b> Bits 61 and 62 of a tag belong to the node's own messages, and a tag with one of them is refused.
 *
 * <p><b>Threads.</b> Functions that were appended to a future run in the thread that makes progress, and must not
 * block, as deadlines, too, end futures in that thread ({@link Engine} tells what happens if one does); the
 * {@code Async} forms run elsewhere. A platform thread that waits ({@code join}, {@code get},
 * {@link Node#await}) makes progress by itself for a moment, so that no other thread stands between it and the network.
 * So <b>such functions may run in several threads at once, and not in the order of arrival</b>: what they share needs
 * care. With an executor of one thread ({@link NodeOptions#withExecutor}) they run one after the other, in that order.
 */
public sealed interface Operations extends RemoteOperations permits Node, OperationsImpl {
    /**
     * Sends a message ({@code fi_send}).
     *
     * @param buffer the message
     * @param peer the peer
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> send(MemorySegment buffer, Peer peer);

    /**
     * Sends a part of a buffer ({@code fi_send}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the peer
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> send(MemorySegment buffer, long offset, long length, Peer peer);

    /**
     * Sends several buffers as one message, one behind the other ({@code fi_sendv}): a header and what it is about, for
     * example. The peer receives it as any other. Nothing is copied, unless the provider needs such a message in one
     * piece: {@code ofi_rxm}, above 16 KiB.
     *
     * @param buffers the parts of the message, in this order: at most as many as {@code tx().iovLimit()} of
     *     {@link Node#info()} says, none for an empty message. Read before this returns: later changes of the list have
     *     no effect
     * @param peer the peer
     * @return done when the buffers may be used again
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     */
    CompletableFuture<@Nullable Void> send(List<MemorySegment> buffers, Peer peer);

    /**
     * Sends a message with immediate data ({@code fi_senddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> sendData(MemorySegment buffer, long data, Peer peer);

    /**
     * Sends a part of a buffer with immediate data ({@code fi_senddata}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> sendData(MemorySegment buffer, long offset, long length, long data, Peer peer);

    /**
     * Sends a tagged message ({@code fi_tsend}).
     *
     * @param buffer the message
     * @param peer the peer
     * @param tag the tag
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> send(MemorySegment buffer, Peer peer, long tag);

    /**
     * Sends a part of a buffer as a tagged message ({@code fi_tsend}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the peer
     * @param tag the tag
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> send(MemorySegment buffer, long offset, long length, Peer peer, long tag);

    /**
     * Sends several buffers as one tagged message ({@code fi_tsendv}), as {@link #send(List, Peer)} does without a tag.
     *
     * @param buffers the parts of the message, in this order
     * @param peer the peer
     * @param tag the tag
     * @return done when the buffers may be used again
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     */
    CompletableFuture<@Nullable Void> send(List<MemorySegment> buffers, Peer peer, long tag);

    /**
     * Sends a tagged message with immediate data ({@code fi_tsenddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param tag the tag
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> sendData(MemorySegment buffer, long data, Peer peer, long tag);

    /**
     * Sends a part of a buffer as a tagged message with immediate data ({@code fi_tsenddata}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param tag the tag
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> sendData(MemorySegment buffer, long offset, long length, long data, Peer peer,
            long tag);

    /**
     * Receives the next message without a tag ({@code fi_recv}), from anyone.
     *
     * @param buffer takes the message
     * @return the message; fails with {@code FI_ETRUNC} if the buffer is too small
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(MemorySegment, Peer)}
     */
    CompletableFuture<Received> receive(MemorySegment buffer);

    /**
     * Receives the next message without a tag into a part of a buffer ({@code fi_recv}), from anyone.
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @return the message; fails with {@code FI_ETRUNC} if the part is too small
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(MemorySegment, long, long, Peer)}
     */
    CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length);

    /**
     * Receives the next message without a tag into several buffers ({@code fi_recvv}), from anyone: each is filled
     * before the next one, such as one for a header of known length and one for what follows. Nothing is copied.
     *
     * @param buffers take the message, in this order: at most as many as {@code rx().iovLimit()} of {@link Node#info()}
     *     says, and one less where jfabric needs one of them to find out that a message is longer; none for an empty
     *     message. Read before this returns: later changes of the list have no effect. Where two of them share memory,
     *     it has the bytes of either
     * @return the message, whose length is that in all buffers; fails with {@code FI_ETRUNC} if they are too small
     * @throws IllegalArgumentException if there are more buffers than the provider takes; the message says how many
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(List, Peer)}
     */
    CompletableFuture<Received> receive(List<MemorySegment> buffers);

    /**
     * Receives the next message without a tag from one peer ({@code fi_recv}). For connections, and for nodes that were
     * opened with the capability {@code DIRECTED_RECV}.
     *
     * @param buffer takes the message
     * @param peer the sender
     * @return the message
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    CompletableFuture<Received> receive(MemorySegment buffer, Peer peer);

    /**
     * Receives the next message without a tag from one peer into a part of a buffer ({@code fi_recv}). For connections,
     * and for nodes that were opened with the capability {@code DIRECTED_RECV}.
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the sender
     * @return the message
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length, Peer peer);

    /**
     * Receives the next message without a tag from one peer into several buffers ({@code fi_recvv}), as
     * {@link #receive(List)} does from anyone. For connections, and for nodes that were opened with the capability
     * {@code DIRECTED_RECV}.
     *
     * @param buffers take the message, in this order
     * @param peer the sender
     * @return the message
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    CompletableFuture<Received> receive(List<MemorySegment> buffers, Peer peer);

    /**
     * Receives a message with a tag ({@code fi_trecv}), from anyone.
     *
     * @param buffer takes the message
     * @param tag the tag
     * @return the message; fails with {@code FI_ETRUNC} if the buffer is too small
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(MemorySegment, Peer)}
     */
    default CompletableFuture<Received> receive(MemorySegment buffer, long tag) {
        return receiveMatching(buffer, tag, 0);
    }

    /**
     * Receives a message with a tag into a part of a buffer ({@code fi_trecv}), from anyone.
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param tag the tag
     * @return the message; fails with {@code FI_ETRUNC} if the part is too small
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(MemorySegment, long, long, Peer)}
     */
    default CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length, long tag) {
        return receiveMatching(buffer, offset, length, tag, 0);
    }

    /**
     * Receives a message with a tag into several buffers ({@code fi_trecvv}), from anyone, as {@link #receive(List)}
     * does without a tag.
     *
     * @param buffers take the message, in this order
     * @param tag the tag
     * @return the message; fails with {@code FI_ETRUNC} if the buffers are too small
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(List, Peer)}
     */
    default CompletableFuture<Received> receive(List<MemorySegment> buffers, long tag) {
        return receiveMatching(buffers, tag, 0);
    }

    /**
     * Receives a message with a tag from one peer ({@code fi_trecv}). For nodes that were opened with the capability
     * {@code DIRECTED_RECV}.
     *
     * @param buffer takes the message
     * @param peer the sender
     * @param tag the tag
     * @return the message; fails with {@code FI_ETRUNC} if the buffer is too small
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    default CompletableFuture<Received> receive(MemorySegment buffer, Peer peer, long tag) {
        return receiveMatching(buffer, peer, tag, 0);
    }

    /**
     * Receives a message with a tag from one peer into a part of a buffer ({@code fi_trecv}). For nodes that were
     * opened with the capability {@code DIRECTED_RECV}.
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the sender
     * @param tag the tag
     * @return the message; fails with {@code FI_ETRUNC} if the part is too small
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    default CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length, Peer peer, long tag) {
        return receiveMatching(buffer, offset, length, peer, tag, 0);
    }

    /**
     * Receives a message with a tag from one peer into several buffers ({@code fi_trecvv}), as {@link #receive(List)}
     * does. For nodes that were opened with the capability {@code DIRECTED_RECV}.
     *
     * @param buffers take the message, in this order
     * @param peer the sender
     * @param tag the tag
     * @return the message; fails with {@code FI_ETRUNC} if the buffers are too small
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    default CompletableFuture<Received> receive(List<MemorySegment> buffers, Peer peer, long tag) {
        return receiveMatching(buffers, peer, tag, 0);
    }

    /**
     * Receives a message whose tag matches in part ({@code fi_trecv}), from anyone.
     *
     * @param buffer takes the message
     * @param tag the tag
     * @param ignore the bits of the tag that are not compared
     * @return the message; fails with {@code FI_ETRUNC} if the buffer is too small
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(MemorySegment, Peer)}
     */
    CompletableFuture<Received> receiveMatching(MemorySegment buffer, long tag, long ignore);

    /**
     * Receives a message whose tag matches in part into a part of a buffer ({@code fi_trecv}), from anyone.
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param tag the tag
     * @param ignore the bits of the tag that are not compared
     * @return the message; fails with {@code FI_ETRUNC} if the part is too small
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(MemorySegment, long, long, Peer)}
     */
    CompletableFuture<Received> receiveMatching(MemorySegment buffer, long offset, long length, long tag, long ignore);

    /**
     * Receives a message whose tag matches in part into several buffers ({@code fi_trecvv}), from anyone, as
     * {@link #receive(List)} does.
     *
     * @param buffers take the message, in this order
     * @param tag the tag
     * @param ignore the bits of the tag that are not compared
     * @return the message; fails with {@code FI_ETRUNC} if the buffers are too small
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     * @throws IllegalStateException on a connection-oriented node: {@link #receive(List, Peer)}
     */
    CompletableFuture<Received> receiveMatching(List<MemorySegment> buffers, long tag, long ignore);

    /**
     * Receives a message from one peer whose tag matches in part ({@code fi_trecv}). For nodes that were opened with
     * the capability {@code DIRECTED_RECV}.
     *
     * @param buffer takes the message
     * @param peer the sender
     * @param tag the tag
     * @param ignore the bits of the tag that are not compared
     * @return the message; fails with {@code FI_ETRUNC} if the buffer is too small
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    CompletableFuture<Received> receiveMatching(MemorySegment buffer, Peer peer, long tag, long ignore);

    /**
     * Receives a message from one peer whose tag matches in part into a part of a buffer ({@code fi_trecv}). For nodes
     * that were opened with the capability {@code DIRECTED_RECV}.
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the sender
     * @param tag the tag
     * @param ignore the bits of the tag that are not compared
     * @return the message; fails with {@code FI_ETRUNC} if the part is too small
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    CompletableFuture<Received> receiveMatching(MemorySegment buffer, long offset, long length, Peer peer, long tag,
            long ignore);

    /**
     * Receives a message from one peer whose tag matches in part into several buffers ({@code fi_trecvv}), as
     * {@link #receive(List)} does. For nodes that were opened with the capability {@code DIRECTED_RECV}.
     *
     * @param buffers take the message, in this order
     * @param peer the sender
     * @param tag the tag
     * @param ignore the bits of the tag that are not compared
     * @return the message; fails with {@code FI_ETRUNC} if the buffers are too small
     * @throws IllegalArgumentException if there are more buffers than the provider takes
     * @throws IllegalStateException if the node was opened without that capability: the receive would take messages of
     *     other peers
     */
    CompletableFuture<Received> receiveMatching(List<MemorySegment> buffers, Peer peer, long tag, long ignore);
}
