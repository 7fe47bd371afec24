// SPDX-License-Identifier: Apache-2.0
/**
 * libfabric for Java: endpoints that move bytes between processes over whatever network the loaded
 * {@code libfabric.so.1} has a provider for.
 *
 * <p>This is level 1, libfabric itself. Most programs need only the everyday layer above it,
 * {@link io.jfabric.async}, which begins with {@link io.jfabric.async.Node#open(io.jfabric.info.Hints) Node.open}.
 *
 * <p>{@link io.jfabric.Fabric#getInfo Fabric.getInfo} finds ways to reach the network that satisfy
 * {@link io.jfabric.info.Hints}. From one of them a {@link io.jfabric.Fabric}, a {@link io.jfabric.Domain} and an
 * {@link io.jfabric.Endpoint} are opened; an {@link io.jfabric.AddressVector} turns addresses of peers into
 * {@code long} values, and a {@link io.jfabric.CompletionQueue} reports what has completed.
 * {@snippet :
 * try (Hints hints = Hints.create().endpointType(EndpointType.RDM).capabilities(Capability.TAGGED);
 *      FabricInfoList infos = Fabric.getInfo(hints);
 *      Fabric fabric = Fabric.open(infos.first());
 *      Domain domain = fabric.openDomain(infos.first());
 *      FabricArena arena = domain.openArena();               // memory that operations use
 *      AddressVector addresses = domain.openAddressVector();
 *      CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
 *      Endpoint endpoint = domain.openEndpoint(infos.first())) {
 *     endpoint.bind(addresses).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).enable();
 *     long peer = addresses.insert(bytes);                   // bytes that came out of band
 *     MemorySegment buffer = arena.allocate(4096);
 *     while (!endpoint.tagged().send(buffer, peer, 42, 1)) { // false: the provider is busy
 *         queue.poll(handler, 16);
 *     }
 *     while (queue.poll(handler, 16) == 0) {                 // the buffer is the provider's until then
 *         Thread.onSpinWait();
 *     }
 * }
 * }
 *
 * <p>What can be asked of the network is in {@link io.jfabric.info}, what objects are opened with in
 * {@link io.jfabric.option}; {@link io.jfabric.collective}, {@link io.jfabric.trigger} and {@link io.jfabric.wait} are
 * for those who need them.
 *
 * <p>What all of it has in common:
 * <ul>
 *   <li>Buffers are native memory ({@link java.lang.foreign.MemorySegment}), used in place, and belong to the provider
 *       from the call until the completion. Memory of a {@link io.jfabric.FabricArena} cannot be freed before.
 *   <li>Methods that start an operation return false if the provider is busy ({@code -FI_EAGAIN}); any other failure is
 *       a {@link io.jfabric.FabricException}. Starting operations and polling allocate nothing.
 *   <li>What the methods with a few arguments cannot say (several buffers, flags, several ranges) is a
 *       {@link io.jfabric.Request}, made once and posted any number of times.
 *   <li>Objects own what was opened from them. After {@code close()}, their methods throw
 *       {@link java.lang.IllegalStateException}. Closing waits for threads that are inside
 *       ({@link io.jfabric.FabricObject#close()}).
 *   <li>A {@link java.time.Duration} to wait for is not negative ({@link java.lang.IllegalArgumentException}); 0 looks
 *       once, and more than 24 days may count as 24. An interrupt ends the wait, except that of a
 *       {@link io.jfabric.wait.FdWaiter}, and the thread stays interrupted.
 *   <li>How objects may be shared between threads is the domain's threading level; one thread at a time polls a queue.
 *   <li>The JVM needs {@code --enable-native-access=ALL-UNNAMED}, or
 *       {@code --enable-native-access=io.jfabric,io.jfabric.bindings} on the module path.
 * </ul>
 */
@NullMarked
package io.jfabric;

import org.jspecify.annotations.NullMarked;
