// SPDX-License-Identifier: Apache-2.0
/**
 * The everyday layer: one object to open, and futures. Most programs need only this package and
 * {@link io.jfabric.info.Hints}.
 *
 * <p>A {@link io.jfabric.async.Node} owns all that a program needs to talk to others (fabric, domain, address vector,
 * queue, endpoint, memory) and a thread that drives it. Any thread, platform or virtual, may start operations; each
 * returns a {@link java.util.concurrent.CompletableFuture}.
 * {@snippet :
 * try (Node node = Node.open(Hints.rdm().provider("tcp"))) {
 *     Peer peer = node.peer(address);                // came out of band
 *     MemorySegment inbox = node.allocate(4096);
 *     CompletableFuture<Received> answer = node.receive(inbox, 42);
 *     node.send(buffer, peer, 42).join();
 *     Received got = node.await(answer, Duration.ofSeconds(1));
 * }
 * }
 *
 * <p>Built on nodes: {@link io.jfabric.async.Service} and {@link io.jfabric.async.Caller} for request and response,
 * {@link io.jfabric.async.Group} for collective operations, {@link io.jfabric.async.KeepAlive} to notice peers that
 * die, {@link io.jfabric.async.BufferPool} for buffers to use again.
 *
 * <p>All of libfabric stays reachable, through {@link io.jfabric.async.Node#endpoint()} and similar methods.
 */
@NullMarked
package io.jfabric.async;

import org.jspecify.annotations.NullMarked;
