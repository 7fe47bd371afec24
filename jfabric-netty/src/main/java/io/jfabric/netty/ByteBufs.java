// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import io.jfabric.async.Call;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages from {@link ByteBuf}s, receives into them and calls with them, without a copy. Each operation holds a
 * reference to its buffers from its start until libfabric has let go of the memory, however the operation ends, even if
 * its future was cancelled or timed out before. The program keeps its own reference, and may release it at once.
 *
 * <p>Until {@link Node#released} of the returned future is done, it must neither change the bytes of a send, nor use
 * those that a receive or an answer may write, nor change the capacity, nor what a {@link
 * io.netty.buffer.CompositeByteBuf} consists of, as {@code consolidate} does: that moves or frees the memory, and the
 * JVM may crash. (If it does not, a receive or call fails.) If the operation ends by itself, its future tells as well.
 * After a cancel, {@code orTimeout}, {@code complete} or a deadline the memory is free later than the future is done,
 * by as long as libfabric takes: it may still write a message that is arriving.
 *
 * <p>Buffers are direct and in one piece; only what is sent, as a message or a request, may be in several, as in a
 * {@link io.netty.buffer.CompositeByteBuf}. All methods are thread-safe, as nodes are; a buffer is not. So there is one
 * receive or answer at a time for each buffer, and nothing else writes to it meanwhile: two would go to the same place.
 * The one that finds the writer index moved fails.
 */
public final class ByteBufs {
    private ByteBufs() {
    }

    /**
     * The readable bytes. Moves no index and counts no reference.
     *
     * @param buffer direct, in one piece
     * @return its memory, valid for as long as the buffer
     * @throws IllegalArgumentException if the buffer is on the heap, or in several pieces
     */
    public static MemorySegment readable(ByteBuf buffer) {
        given(buffer);
        return memory(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /**
     * The writable bytes, up to the capacity that the buffer has now. Moves no index and counts no reference.
     *
     * @param buffer direct, in one piece
     * @return its memory, valid for as long as the buffer
     * @throws IllegalArgumentException if the buffer is on the heap, in several pieces, or read-only
     */
    public static MemorySegment writable(ByteBuf buffer) {
        given(buffer);
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("ByteBufs: " + buffer + " is read-only");
        }
        return memory(buffer, buffer.writerIndex(), buffer.writableBytes());
    }

    /**
     * The readable bytes in their pieces, for {@link Node#send(List, Peer, long)}, {@link Caller#call(List,
     * MemorySegment)} and {@link Call#answer(List)}. Moves no index and counts no reference.
     *
     * @param buffer direct; in any number of pieces, as in a {@link io.netty.buffer.CompositeByteBuf}
     * @return its memory, valid for as long as the buffer; no piece is empty
     * @throws IllegalArgumentException if the buffer is on the heap, or a part of it
     */
    public static List<MemorySegment> pieces(ByteBuf buffer) {
        given(buffer);
        // a composite says itself that it is not direct, if nothing, or an empty one, is in it
        return Stream.of(buffer.nioBuffers(buffer.readerIndex(), buffer.readableBytes()))
                .filter(ByteBuffer::hasRemaining).map(piece -> piece(buffer, piece)).toList();
    }

    private static MemorySegment piece(ByteBuf buffer, ByteBuffer piece) {
        checkDirect(buffer, piece.isDirect());
        return MemorySegment.ofBuffer(piece);
    }

    private static void given(ByteBuf buffer) {
        Objects.requireNonNull(buffer, "ByteBufs: the buffer is null");
    }

    private static void checkDirect(ByteBuf buffer, boolean isDirect) {
        if (!isDirect) {
            throw new IllegalArgumentException("ByteBufs: " + buffer + " is on the Java heap, or a part of it, which "
                    + "libfabric cannot use; take buffers of ByteBufAllocator.directBuffer");
        }
    }

    private static MemorySegment memory(ByteBuf buffer, int index, int length) {
        checkDirect(buffer, buffer.isDirect());
        if (buffer.nioBufferCount() != 1) {
            throw new IllegalArgumentException("ByteBufs: " + buffer + " is in " + buffer.nioBufferCount()
                    + " pieces, which only sends, and requests and answers of calls, take; copy them into one direct "
                    + "buffer, as by CompositeByteBuf.consolidate");
        }
        return MemorySegment.ofBuffer(buffer.nioBuffer(index, length));
    }

    /** The pieces, if they make one message. */
    private static List<MemorySegment> message(Node node, ByteBuf buffer) {
        List<MemorySegment> pieces = pieces(buffer);
        long most = Math.max(1, node.info().tx().iovLimit());
        if (pieces.size() > most) {
            throw new IllegalArgumentException("ByteBufs: " + buffer + " is in " + pieces.size() + " pieces, but a "
                    + "message of provider " + node.info().provider() + " has at most " + most + "; copy them into one "
                    + "direct buffer, as by CompositeByteBuf.consolidate, or send several messages");
        }
        return pieces;
    }

    /**
     * Sends the readable bytes as one message. The reader index does not change.
     *
     * @param node sends
     * @param buffer direct; in one piece or several, as of {@link Node#send(List, Peer, long)}: a
     *     {@link io.netty.buffer.CompositeByteBuf} of a header and what it is about, for example
     * @param peer whom to, a peer of the node's
     * @param tag as of {@link Node#send(MemorySegment, Peer, long)}
     * @return done when the bytes may be changed, unless it is cancelled or late: then {@link Node#released} tells
     * @throws IllegalArgumentException if the buffer or a part of it is on the heap, or it is in more pieces than the
     *     provider takes ({@code tx().iovLimit()} of {@link Node#info()})
     */
    public static CompletableFuture<@Nullable Void> send(Node node, ByteBuf buffer, Peer peer, long tag) {
        return holding(node, buffer, own -> isWhole(buffer) ? own.send(readable(buffer), peer, tag)
                : own.send(message(own, buffer), peer, tag));
    }

    /**
     * Sends the readable bytes without a tag, also over a connection, as {@link #send(Node, ByteBuf, Peer, long)} does
     * with one.
     *
     * @param node sends
     * @param buffer direct; in one piece or several
     * @param peer whom to, a peer of the node's
     * @return done when the bytes may be changed, unless it is cancelled or late: then {@link Node#released} tells
     * @throws IllegalArgumentException if the buffer or a part of it is on the heap, or it is in more pieces than the
     *     provider takes
     */
    public static CompletableFuture<@Nullable Void> send(Node node, ByteBuf buffer, Peer peer) {
        return holding(node, buffer, own -> isWhole(buffer) ? own.send(readable(buffer), peer)
                : own.send(message(own, buffer), peer));
    }

    private static boolean isWhole(ByteBuf buffer) {
        return buffer.nioBufferCount() == 1 && buffer.isDirect();
    }

    /**
     * Receives a message behind the readable bytes, at most as long as the writable bytes; the writer index then moves
     * behind it. If the program cancels or completes the future, also by {@code orTimeout}, that cancels the receive,
     * unless its message is arriving just then, as with {@link Node#receive(MemorySegment, long)}. The buffer may be
     * written to until it is {@linkplain Node#released released}.
     *
     * @param node receives
     * @param buffer direct, in one piece
     * @param tag as of {@link Node#receive(MemorySegment, long)}
     * @return what was received, done once the writer index has moved
     */
    public static CompletableFuture<Received> receive(Node node, ByteBuf buffer, long tag) {
        return receiving(node, buffer, own -> own.receive(writable(buffer), tag));
    }

    /**
     * Receives a message without a tag from anyone, as {@link #receive(Node, ByteBuf, long)} does with one.
     *
     * @param node receives
     * @param buffer direct, in one piece
     * @return what was received, done once the writer index has moved
     */
    public static CompletableFuture<Received> receive(Node node, ByteBuf buffer) {
        return receiving(node, buffer, own -> own.receive(writable(buffer)));
    }

    /**
     * Receives a message without a tag from one peer, as {@link #receive(Node, ByteBuf, long)} does with a tag.
     *
     * @param node receives
     * @param buffer direct, in one piece
     * @param peer from whom, as of {@link Node#receive(MemorySegment, Peer)}: a connection, for example
     * @return what was received, done once the writer index has moved
     */
    public static CompletableFuture<Received> receive(Node node, ByteBuf buffer, Peer peer) {
        return receiving(node, buffer, own -> own.receive(writable(buffer), peer));
    }

    private static CompletableFuture<Received> receiving(Node node, ByteBuf buffer,
            Function<? super Node, CompletableFuture<Received>> operation) {
        return filling("receive", node, buffer, operation, Received::length, message -> message);
    }

    /**
     * Calls a service with the readable bytes, with the deadline of the caller's options: as
     * {@link #call(Caller, ByteBuf, ByteBuf, Duration)}.
     *
     * @param caller calls
     * @param request direct, in any number of pieces; its reader index does not change
     * @param answer direct, in one piece; takes the answer, as a receive its message
     * @return how long the answer is, done once the writer index has moved behind it
     */
    public static CompletableFuture<Integer> call(Caller caller, ByteBuf request, ByteBuf answer) {
        return calling(caller, request, answer, (out, in) -> caller.call(out, in));
    }

    /**
     * Calls a service with the readable bytes, as {@link Caller#call(List, MemorySegment, Duration)} does. The
     * answer goes behind the readable bytes of its buffer, and is at most as long as the writable bytes; the writer
     * index then moves behind it. Both buffers are held until they are {@linkplain Node#released released}, of which
     * the node of {@link Caller#peer()} tells. They may be the same: the answer is then behind the request.
     *
     * @param caller calls
     * @param request direct, in any number of pieces; its reader index does not change
     * @param answer direct, in one piece
     * @param deadline how long it may take, more than 0; {@link io.jfabric.async.NodeOptions#NO_DEADLINE} for no limit
     * @return how long the answer is, done once the writer index has moved behind it; fails as a call does, with
     *     {@code FI_ETRUNC} if the answer is longer
     * @throws IllegalArgumentException if the deadline is not more than 0, a buffer or a part of it is on the heap, or
     *     that for the answer is in several pieces or read-only
     */
    public static CompletableFuture<Integer> call(Caller caller, ByteBuf request, ByteBuf answer, Duration deadline) {
        return calling(caller, request, answer, (out, in) -> caller.call(out, in, deadline));
    }

    private static CompletableFuture<Integer> calling(Caller caller, ByteBuf request, ByteBuf answer,
            BiFunction<List<MemorySegment>, MemorySegment, CompletableFuture<MemorySegment>> call) {
        Node own = Objects.requireNonNull(caller, "ByteBufs: the caller is null").peer().node();
        return filling("call", own, answer,
                node -> holding(node, request, same -> call.apply(pieces(request), writable(answer))),
                MemorySegment::byteSize, part -> (int) part.byteSize());
    }

    private static <T, U> CompletableFuture<U> filling(String what, Node node, ByteBuf buffer,
            Function<? super Node, CompletableFuture<T>> operation, ToLongFunction<T> length, Function<T, U> result) {
        given(buffer);
        int begin = buffer.writerIndex();
        AtomicLong address = new AtomicLong();
        CompletableFuture<T> filled = holding(node, buffer, own -> {
            address.set(writable(buffer).address());
            return operation.apply(own);
        });
        return node.thenApply(filled, message -> {
            int end = begin + (int) length.applyAsLong(message);
            if (end > buffer.capacity() || memory(buffer, begin, 0).address() != address.get()) {
                throw new IllegalStateException("ByteBufs." + what + ": the capacity of " + buffer + " was changed "
                        + "before the " + what + " was over, so the message is lost, and maybe other memory was "
                        + "overwritten; give it its capacity first");
            }
            if (buffer.writerIndex() != begin) {
                throw new IllegalStateException("ByteBufs." + what + ": the writer index of " + buffer + " was "
                        + begin + " when the " + what + " began, so something else was written, or received, where its "
                        + "message went; begin one receive at a time for each buffer, or one call");
            }
            buffer.writerIndex(end);
            return result.apply(message);
        });
    }

    /**
     * Starts any operation on the memory of a buffer, which is retained, and released when libfabric has let go of it.
     *
     * @param node whose operation it is
     * @param buffer what it uses, by {@link #readable} or {@link #writable}
     * @param operation starts it, and gives its future as the node gave it
     * @param <T> what it gives
     * @return that future
     * @throws IllegalArgumentException if it is not the node's, or derived from it; the operation goes on, and the
     *     buffer is never released, as nobody knows when the memory is free
     */
    public static <T> CompletableFuture<T> holding(Node node, ByteBuf buffer,
            Function<? super Node, CompletableFuture<T>> operation) {
        Objects.requireNonNull(node, "ByteBufs: the node is null");
        Objects.requireNonNull(operation, "ByteBufs: the operation is null");
        given(buffer);
        retain(buffer);
        CompletableFuture<T> started;
        try {
            started = Objects.requireNonNull(operation.apply(node), "ByteBufs: the operation gave no future");
        } catch (Throwable refused) {
            buffer.release();
            throw refused;
        }
        // throws for a future that may end before the operation does, which still uses the memory: the reference stays
        node.released(started).whenComplete((nothing, never) -> buffer.release());
        return started;
    }

    private static void retain(ByteBuf buffer) {
        try {
            buffer.retain();
        } catch (IllegalReferenceCountException e) {
            throw new IllegalStateException("ByteBufs: " + buffer + " was released; release it once the operation has "
                    + "begun, not before", e);
        }
    }
}
