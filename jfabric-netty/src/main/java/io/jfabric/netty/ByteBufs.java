// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Sends messages from {@link ByteBuf}s, and receives into them, without a copy. Each operation holds a reference to its
 * buffer from its start until libfabric has let go of the memory, however the operation ends, even if its future was
 * cancelled or timed out before. The program keeps its own reference, and may release it at once.
 *
 * <p>Until {@link Node#released} of the returned future is done, it must neither change the bytes of a send, nor use
 * those that a receive may write, nor change the capacity: that moves the memory, and the JVM may crash. (If it does
 * not, a receive fails.) If the operation ends by itself, its future tells as well. After a cancel, {@code orTimeout},
 * {@code complete} or a deadline the memory is free later than the future is done, by as long as libfabric takes: it
 * may still write a message that is arriving.
 *
 * <p>Buffers are direct and in one piece. All methods are thread-safe, as nodes are; a buffer is not. So there is one
 * receive at a time for each buffer, and nothing else writes to it meanwhile: two would receive at the same place. The
 * receive that finds the writer index moved fails.
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

    private static void given(ByteBuf buffer) {
        Objects.requireNonNull(buffer, "ByteBufs: the buffer is null");
    }

    private static MemorySegment memory(ByteBuf buffer, int index, int length) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("ByteBufs: " + buffer + " is on the Java heap, which libfabric cannot "
                    + "use; take buffers of ByteBufAllocator.directBuffer");
        }
        if (buffer.nioBufferCount() != 1) {
            throw new IllegalArgumentException("ByteBufs: " + buffer + " is in " + buffer.nioBufferCount()
                    + " pieces; copy them into one direct buffer, or send each");
        }
        return MemorySegment.ofBuffer(buffer.nioBuffer(index, length));
    }

    /**
     * Sends the readable bytes. The reader index does not change.
     *
     * @param node sends
     * @param buffer direct, in one piece
     * @param peer whom to, a peer of the node's
     * @param tag as of {@link Node#send(MemorySegment, Peer, long)}
     * @return done when the bytes may be changed, unless it is cancelled or late: then {@link Node#released} tells
     */
    public static CompletableFuture<Void> send(Node node, ByteBuf buffer, Peer peer, long tag) {
        return holding(node, buffer, own -> own.send(readable(buffer), peer, tag));
    }

    /**
     * Sends the readable bytes without a tag, also over a connection. The reader index does not change.
     *
     * @param node sends
     * @param buffer direct, in one piece
     * @param peer whom to, a peer of the node's
     * @return done when the bytes may be changed, unless it is cancelled or late: then {@link Node#released} tells
     */
    public static CompletableFuture<Void> send(Node node, ByteBuf buffer, Peer peer) {
        return holding(node, buffer, own -> own.send(readable(buffer), peer));
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
        return filling(node, buffer, own -> own.receive(writable(buffer), tag));
    }

    /**
     * Receives a message without a tag from anyone, as {@link #receive(Node, ByteBuf, long)} does with one.
     *
     * @param node receives
     * @param buffer direct, in one piece
     * @return what was received, done once the writer index has moved
     */
    public static CompletableFuture<Received> receive(Node node, ByteBuf buffer) {
        return filling(node, buffer, own -> own.receive(writable(buffer)));
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
        return filling(node, buffer, own -> own.receive(writable(buffer), peer));
    }

    private static CompletableFuture<Received> filling(Node node, ByteBuf buffer,
            Function<? super Node, CompletableFuture<Received>> operation) {
        given(buffer);
        int begin = buffer.writerIndex();
        AtomicLong address = new AtomicLong();
        CompletableFuture<Received> received = holding(node, buffer, own -> {
            address.set(writable(buffer).address());
            return operation.apply(own);
        });
        return node.thenApply(received, message -> {
            int end = begin + (int) message.length();
            if (end > buffer.capacity() || memory(buffer, begin, 0).address() != address.get()) {
                throw new IllegalStateException("ByteBufs.receive: the capacity of " + buffer + " was changed before "
                        + "the receive was over, so the message is lost, and maybe other memory was overwritten; give "
                        + "it its capacity first");
            }
            if (buffer.writerIndex() != begin) {
                throw new IllegalStateException("ByteBufs.receive: the writer index of " + buffer + " was " + begin
                        + " when the receive began, so something else was written, or received, where its message "
                        + "went; begin one receive at a time for each buffer");
            }
            buffer.writerIndex(end);
            return message;
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
