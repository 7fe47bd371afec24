// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeOpening;
import io.jfabric.internal.async.node.NodeOperations;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint on the network together with everything it needs: fabric, domain, queue, address vector, memory, and the
 * thread that makes progress (unless it uses an {@link Engine}). Thread-safe; closing it ends all of these, and
 * everything that is under way.
 */
public sealed interface Node extends Operations, AutoCloseable permits NodeOperations {
    /**
     * Opens a node with {@link NodeOptions#DEFAULT}.
     *
     * @param hints what is asked for, such as {@link Hints#rdm()}; not needed afterwards
     * @return the node, to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches; the message says which hint is to blame
     */
    static Node open(Hints hints) {
        return open(hints, NodeOptions.DEFAULT);
    }

    /**
     * Opens a node on the best match. Its domain is opened with {@link io.jfabric.info.Threading#SAFE} whatever the
     * hints say, as any thread may use a node; {@link Hints#oneThread()} has no effect.
     *
     * @param hints what is asked for, such as {@link Hints#rdm()}; not needed afterwards
     * @param options how to open it
     * @return the node, to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches; the message says which hint is to blame
     */
    static Node open(Hints hints, NodeOptions options) {
        return NodeOpening.open(hints, options);
    }

    /**
     * Opens a node on a match that the program chose, with {@link NodeOptions#DEFAULT}.
     *
     * @param info what {@link Fabric#getInfo} found; not needed afterwards
     * @return the node, to be closed
     */
    static Node open(FabricInfo info) {
        return open(info, NodeOptions.DEFAULT);
    }

    /**
     * Opens a node on a match that the program chose. Its domain is opened with
     * {@link io.jfabric.info.Threading#SAFE} whatever the info says.
     *
     * @param info what {@link Fabric#getInfo} found; not needed afterwards
     * @param options how to open it
     * @return the node, to be closed
     */
    static Node open(FabricInfo info, NodeOptions options) {
        return NodeOpening.open(info, options);
    }

    /**
     * What it was opened with.
     *
     * @return the options
     */
    NodeOptions options();

    /**
     * The node's address, for its peers: {@link Address#bytes()} is what travels out of band.
     *
     * @return the address
     * @throws IllegalStateException on a connection-oriented node: {@link NodeListener#address()}
     */
    Address address();

    /**
     * The peer at an address. The same object for the same address.
     *
     * @param address what the peer's {@link #address()} gave
     * @return the peer
     * @throws IllegalArgumentException if it cannot be an address of this node's provider
     * @throws IllegalStateException if the node is closed, or is connection-oriented
     * @throws FabricException if the provider refuses it: {@code FI_ENOENT} if the peer is not there yet and the
     *     provider does not look again
     */
    Peer peer(Address address);

    /**
     * The peer at an address that came out of band.
     *
     * @param address the bytes of what the peer's {@link #address()} gave
     * @return the peer
     * @throws IllegalArgumentException if they cannot be an address of this node's provider
     * @throws IllegalStateException if the node is closed, or is connection-oriented
     * @throws FabricException if the provider refuses it, as for {@link #peer(Address)}
     */
    Peer peer(byte[] address);

    /**
     * Listens for connections at the address that the node was opened with, or any. On connection-oriented nodes
     * ({@link Hints#msg()}).
     *
     * @return the listener; closed with the node
     * @throws IllegalStateException if the node is closed, or has no connections
     * @throws FabricException if the provider cannot listen, such as {@code FI_EADDRINUSE} if the address is in use
     */
    NodeListener listen();

    /**
     * Listens for connections ({@code fi_listen}). On connection-oriented nodes ({@link Hints#msg()}).
     *
     * @param address an address of this machine; port 0 for any
     * @return the listener; closed with the node
     * @throws IllegalArgumentException if it cannot be an address of this node's provider
     * @throws IllegalStateException if the node is closed, or has no connections
     * @throws FabricException if the provider cannot listen there, such as {@code FI_EADDRINUSE} if the address is in
     *     use, or {@code FI_EADDRNOTAVAIL} if it is not one of this machine
     */
    NodeListener listen(Address address);

    /**
     * Asks for a connection without data; see {@link #connect(Address, byte[])}.
     *
     * @param listener where the other side listens
     * @return the connection
     */
    CompletableFuture<Peer> connect(Address listener);

    /**
     * Asks for a connection ({@code fi_connect}). On connection-oriented nodes ({@link Hints#msg()}).
     *
     * @param listener where the other side listens: its {@link NodeListener#address()}
     * @param data comes with the offer, as much as the provider takes
     * @return the connection, once the other side has accepted; fails with {@code FI_ECONNREFUSED} if that rejects,
     *     ends it without an answer or does not listen, with {@code FI_ETIMEDOUT} after the node's deadline, and with
     *     {@code FI_ENOPROTOOPT} if tcp finds that what is there does not speak its protocol, such as a web server.
     *     (tcp of 1.18 to 2.1 does not tell of an end without an answer while another connection of this node has
     *     broken with a message in it that was not received: receive that, or close its peer)
     * @throws IllegalArgumentException if the node cannot connect to such an address, as an IPv4 node to an IPv6 one
     * @throws IllegalStateException on a node without connections
     */
    CompletableFuture<Peer> connect(Address listener, byte[] data);

    /**
     * The node's arena: safe for operations, registered where the provider wants that, freed with the node.
     *
     * @return an arena that need not be closed
     */
    FabricArena memory();

    /**
     * Allocates memory that lives as long as the node.
     *
     * @param byteSize the size, in bytes
     * @return zero-filled memory
     * @throws IllegalArgumentException if the size is negative
     * @throws IllegalStateException if the node is closed
     * @throws OutOfMemoryError if there is not that much memory
     * @throws FabricException if the provider demands registered memory, but registering it fails
     */
    MemorySegment allocate(long byteSize);

    /**
     * Registers memory for peers, who reach it by {@link MemoryRegion#remote()}.
     *
     * @param memory native memory
     * @param first one right
     * @param others more rights
     * @return the region, ready for use; closed with the node
     * @throws IllegalArgumentException if the memory is on the heap or has 0 bytes, or is read-only and a right has the
     *     provider write to it
     * @throws IllegalStateException if the node or the arena of the memory is closed
     * @throws WrongThreadException if the memory is confined to another thread
     * @throws FabricException if the provider refuses it, such as {@code FI_ENOMEM} where no more memory may be locked
     */
    MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others);

    /**
     * Sets who is told when a peer has written to this node's memory with {@link #writeData}. Set it before giving away
     * regions: what comes earlier is lost, and logged once as a warning. libfabric does not say who has written, nor
     * where: that is for the data to tell. So a node has one handler for all its memory, which stays.
     *
     * @param handler gets the immediate data, once the bytes are there; called as futures are completed, and so maybe
     *     in several threads at once and in another order, unless the node has an executor of one thread. What it
     *     throws is logged.
     * @throws IllegalStateException if the node has a handler: let that pass the data on, or open another node
     */
    void onWritten(LongConsumer handler);

    /**
     * The same operations with another deadline than the node's.
     *
     * @param deadline how long each may take, receives too; {@link NodeOptions#NO_DEADLINE} for no limit
     * @return the operations; may be kept
     * @throws IllegalArgumentException if the deadline is not more than 0
     */
    Operations within(Duration deadline);

    /**
     * Waits for a future, and makes progress meanwhile where that helps. If it is not done in time, or the thread is
     * interrupted, the future is given up, as by {@code cancel}, and with it the operation if it is what a method of
     * the node returned. A receive whose message is just arriving is waited for beyond the deadline, as
     * {@link Operations} tells.
     *
     * @param future a future of this node, or one derived from it, whose operation goes on when that is given up
     * @param deadline how long to wait; 0 or less to take only what is there already
     * @param <T> what it gives
     * @return what it gives
     * @throws FabricException the failure of the operation, {@linkplain FabricException#inThisThread of this thread};
     *     {@code FI_ETIMEDOUT} if it is not done in time, {@code FI_EINTR} if the thread is interrupted, which it stays
     * @throws java.util.concurrent.CancellationException if it was cancelled
     * @throws java.util.concurrent.CompletionException any other failure
     */
    <T extends @Nullable Object> T await(CompletableFuture<T> future, Duration deadline);

    /**
     * Tells when the memory of an operation belongs to the program again: with its future, or later if the future was
     * cancelled or past its deadline and libfabric did not let go at once. Needed for memory that is counted or pooled
     * elsewhere; a {@link FabricArena} takes care of its own. What is appended to this future may run before what
     * is appended to that of the operation: a function that reads a message or an answer asks for this at its end.
     *
     * @param operation what a send, a receive, a read, a write or an atomic of this node returned, a call of a
     *     {@link Caller}, for the memory of both the request and the answer, an operation of a {@link Group}, what
     *     {@link BufferPool#use} returned, or what {@link #thenApply} made of one of these
     * @return completes normally, however the operation ended; at the latest when the node is closed
     * @throws IllegalArgumentException if it is not such a future itself
     */
    CompletableFuture<@Nullable Void> released(CompletableFuture<?> operation);

    /**
     * What a function makes of the result of an operation, in a future that stands for the operation. One that
     * {@link CompletableFuture#thenApply} derives does not: if that is given up, the operation goes on. If the program
     * cancels or completes this one, also by {@code orTimeout}, that cancels the operation, and {@link #released} tells
     * when its memory is free, and the function is over. As with the operation itself, a receive whose message is
     * arriving is not given up: {@code cancel} returns false, and the function gets the message
     * ({@link Operations} tells more). Once the function runs, it has the message, and this one ends at once.
     *
     * @param operation what {@link #released} takes
     * @param function called when the operation has succeeded; if it throws, the future fails
     * @param <T> what the operation gives
     * @param <U> what the function gives
     * @return that; fails as the operation does
     * @throws IllegalArgumentException if it is not such a future itself; the operation goes on
     */
    <T extends @Nullable Object, U extends @Nullable Object> CompletableFuture<U> thenApply(
            CompletableFuture<T> operation, Function<? super T, ? extends U> function);

    /**
     * Makes progress once: polls the queue, starts operations that wait, ends those that are past their deadline.
     * Needed only for nodes opened with {@link NodeOptions#withCallerProgress()}. Never blocks. Do not call it deep
     * in a recursion: if the stack overflows inside it, futures of what was found to be over may never be completed.
     *
     * @return how much was done: the entries that were read from the queue, those of the node's own messages among
     *     them, and the waiting operations that were started. 0 if there was nothing to do, or another thread is making
     *     progress. It does not say how many operations have completed
     */
    int progress();

    /**
     * How many operations are with the provider, those of {@link KeepAlive}, calls and groups among them;
     * {@link #statistics} tells them apart.
     *
     * @return the number, receives included: once there is a caller or a service, up to 256 wait for messages of calls
     */
    int underWay();

    /**
     * How many operations wait because the provider or a peer is busy, or a limit is reached.
     *
     * @return the number
     */
    int waiting();

    /**
     * What the node has done, has under way and has moved. Also of a closed node.
     *
     * @return a snapshot
     */
    NodeStatistics statistics();

    /**
     * The endpoint, for operations that this layer does not have. Contexts of completions that it does not know are
     * ignored by the node.
     *
     * @return the endpoint; closed with the node
     * @throws IllegalStateException on a connection-oriented node: each connection has its own {@link Peer#endpoint()}
     */
    Endpoint endpoint();

    /**
     * The domain.
     *
     * @return the domain; closed with the node
     */
    Domain domain();

    /**
     * The address vector.
     *
     * @return the address vector; closed with the node
     * @throws IllegalStateException on a connection-oriented node, which has none
     */
    AddressVector addressVector();

    /**
     * The completion queue. Only the node polls it: {@code poll} and {@code await} throw
     * {@link IllegalStateException}, as they would take away completions whose futures are then never done. To post at
     * level 1 on the node's domain, open another queue and endpoint.
     *
     * @return the queue; closed with the node
     */
    CompletionQueue completionQueue();

    /**
     * The fabric.
     *
     * @return the fabric; closed with the node
     */
    Fabric fabric();

    /**
     * What the node was opened on.
     *
     * @return the info; lives as long as the node
     */
    FabricInfo info();

    /**
     * Tells whether the node can be used.
     *
     * @return false once it is closed
     */
    boolean isOpen();

    /**
     * Tells when the node cannot be used any more. A node seldom fails as a whole: on {@code shm} of libfabric before
     * 2.5 it does if another process was killed in the middle of a write to its memory ({@code FI_EIO}). Then
     * operations fail, those under way at their deadline, and what can be done is to close the node and to open
     * another. That is noticed by whoever makes progress: where callers make all of it, when they do. The same future
     * for all who ask, as {@link Peer#ended()}. Functions that were appended to it without {@code Async} must not
     * block.
     *
     * @return done when the node is closed; fails with the reason if it cannot go on
     */
    CompletableFuture<@Nullable Void> ended();

    /**
     * Ends everything, at any time and from any thread, callbacks included: operations that are under way or wait fail
     * with {@code FI_ECANCELED} once libfabric has let go of their memory, then all objects are closed and the memory
     * is freed. What was sent last may not arrive: before closing, wait for its future, and for an answer from the
     * peer. Closing again does nothing, unless it was refused: then the futures have ended, but the memory of what is
     * under way belongs to libfabric until a later call succeeds. Calls with memory of arenas other than
     * {@link io.jfabric.FabricArena}s, and long answers, only end then. The node's services are closed first, as by
     * {@link Service#close}: that may take 200 ms, during which callbacks run, and whom it cannot tell waits until its
     * deadlines. {@link Service#drain} them before if all calls are to be answered.
     *
     * @throws FabricException {@code FI_EBUSY} if something else still uses one of the node's objects
     * @throws IllegalStateException if the thread that makes progress, or another inside a native call, does not come
     *     back in time
     */
    @Override
    void close();
}
