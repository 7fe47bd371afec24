// SPDX-License-Identifier: Apache-2.0
/**
 * The everyday layer: one object to open, and futures.
 *
 * <p>A {@link io.jfabric.async.Node} owns all that a program needs to talk to others (fabric, domain, addresses, queue,
 * endpoint, memory) and a thread that drives it. Operations may be started from any thread, platform or virtual, and
 * are {@link java.util.concurrent.CompletableFuture}s of what happened.
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
 * <p>Everything of libfabric's stays reachable: {@link io.jfabric.async.Node#endpoint()} and its like.
 */
@NullMarked
package io.jfabric.async;

import org.jspecify.annotations.NullMarked;
