// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives (fi_endpoint(3)). Bind queues and, unless it is for a connection, an address vector; enable it;
 * then use {@link #messages()}, {@link #tagged()} and the other families of operations.
 *
 * <p>The domain's threading level says how many threads may use it at once. Operations allocate nothing, take a
 * {@code long} context that comes back in the completion, and return false if the provider is busy
 * ({@code -FI_EAGAIN}): poll the completion queue and try again.
 */
public sealed interface Endpoint extends FabricObject permits EndpointImpl {
    /**
     * The domain this endpoint belongs to.
     *
     * @return the domain
     */
    Domain domain();

    /**
     * Binds a completion queue ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @param first for which operations: {@link BindFlag#TRANSMIT}, {@link BindFlag#RECV}
     * @param others both of them, or {@link BindFlag#SELECTIVE_COMPLETION}
     * @return this
     * @throws IllegalArgumentException if neither TRANSMIT nor RECV is there
     * @throws IllegalStateException if the endpoint is enabled already, or has a queue for that direction; on udp
     *     before libfabric 2.4 also if the queue has no room left for what the endpoint may have under way
     */
    Endpoint bind(CompletionQueue queue, BindFlag first, BindFlag... others);

    /**
     * Binds an address vector ({@code fi_ep_bind}).
     *
     * @param vector the address vector
     * @return this
     * @throws IllegalStateException if the endpoint is enabled already, has an address vector, or is for a connection
     */
    Endpoint bind(AddressVector vector);

    /**
     * Binds an event queue, for connection events ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @return this
     * @throws IllegalStateException if it has one already
     */
    Endpoint bind(EventQueue queue);

    /**
     * Binds a shared transmit context ({@code fi_ep_bind}).
     *
     * @param context the context
     * @return this
     * @throws IllegalStateException if the endpoint was not opened for one, or has one already
     */
    Endpoint bind(SharedTransmitContext context);

    /**
     * Binds a shared receive context ({@code fi_ep_bind}).
     *
     * @param context the context
     * @return this
     * @throws IllegalStateException if the endpoint was not opened for one, or has one already
     */
    Endpoint bind(SharedReceiveContext context);

    /**
     * Binds a counter ({@code fi_ep_bind}).
     *
     * @param counter the counter
     * @param first an operation to count
     * @param others more operations
     * @return this
     * @throws IllegalStateException if the endpoint is enabled already, or another counter has one of these operations
     */
    Endpoint bind(Counter counter, BindFlag first, BindFlag... others);

    /**
     * Passes the contexts of plain operations to the provider as they are, for latency-critical programs. jfabric
     * does not keep track of these operations then, so the program must take care of this itself:
     * <ul>
     * <li>Memory of {@link java.lang.foreign.Arena#ofAuto} must be kept reachable until the completion.
     * <li>{@link FabricArena}s, whatever their domain, close only when the endpoint is closed (on shm also those of the
     * process that know it); memory of an arena that closes with its domain is freed after that. Other memory must
     * outlive the endpoint and, on shm, also its queues if other endpoints use them; that of a call of a
     * {@link io.jfabric.async.Service} must not be used longer than the call lasts.
     * <li>If a provider does not report that a message was longer than its receive (shm, udp;ofi_rxd, tcp and
     * tcp;ofi_rxm of libfabric 1.17), only the length in the completion shows it.
     * <li>{@link #statistics()} leaves these operations out.
     * </ul>
     * Requests, receives of several messages, injected and triggered operations do not change, nor does any operation
     * on providers that write to contexts or want buffers registered, or on udp and tcp of libfabric 1.18 and 1.19.
     * Contexts have 62 bits. Saves 4 to 10 % of a round trip within one process on shared memory.
     *
     * @return this
     * @throws IllegalStateException if it is in service already
     */
    Endpoint rawContexts();

    /**
     * Puts the endpoint into service ({@code fi_enable}). Other threads may poll its queues meanwhile.
     *
     * @return this
     * @throws FabricException if the provider fails. If it would crash at the next poll after that (shm,
     *     {@code ofi_rxm}, tcp since 1.18), the endpoint is closed: {@link #isOpen()} tells
     * @throws IllegalStateException if it is in service already, or threads do not come out of native calls; with shm
     *     since 2.5 also if the address vector has had an endpoint of this process that is closed by now
     */
    Endpoint enable();

    /**
     * A second handle of the same endpoint with default flags of its own ({@code fi_ep_alias}). Made after
     * {@link #enable()}; closed before the endpoint, by it or by the application.
     *
     * @param direction which operations get them; the others have those of this endpoint
     * @param flags the default flags of the alias's operations
     * @return the alias
     * @throws IllegalArgumentException if one of the flags cannot be a default
     * @throws IllegalStateException if the endpoint is not enabled
     * @throws FabricException {@code FI_EOPNOTSUPP} if the provider cannot have one of the flags as a default;
     *     {@code FI_ENOSYS} if it has no aliases, or libfabric is too old for a flag
     */
    Endpoint alias(Direction direction, Flags<OperationFlag> flags);

    /**
     * Messages without tags.
     *
     * @return the operations
     */
    Messages messages();

    /**
     * Tagged messages.
     *
     * @return the operations
     */
    TaggedMessages tagged();

    /**
     * Remote memory access.
     *
     * @return the operations
     */
    Rma rma();

    /**
     * Atomic operations on remote memory. Some providers have them only if asked for the capability {@code ATOMIC}.
     *
     * @return the operations
     */
    Atomics atomics();

    /**
     * Registers memory; where the provider asks for it ({@link MrMode#ENDPOINT}), for this endpoint alone.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region, ready for use
     * @throws IllegalArgumentException if the memory is on the heap or has 0 bytes, or is read-only and a right has the
     *     provider write to it
     * @throws IllegalStateException if the arena of the memory is closed
     * @throws WrongThreadException if the memory is confined to another thread
     * @throws FabricException if the provider refuses it, such as {@code FI_ENOMEM} where no more memory may be locked
     */
    MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others);

    /**
     * Cancels an operation ({@code fi_cancel}). If it had not completed, it completes with the error
     * {@code FI_ECANCELED}.
     *
     * @param context what the operation was posted with; where several have the same, one of them, and that again
     *     until its completion has been read: give operations that may be cancelled contexts of their own
     * @return false if no operation with this context is under way; operations that ask for no completion
     *     ({@link BindFlag#SELECTIVE_COMPLETION}) are not found with most providers; with {@link #rawContexts} true
     *     also if there is none, and then nothing completes
     * @throws FabricException {@code FI_ENOSYS} also where libfabric would crash: with some providers for an untagged
     *     receive from one peer, a receive of a shared receive context, or a multi-receive. {@code FI_EAGAIN} for a
     *     multi-receive while a message is arriving in it (shm and rxm since 2.1): poll, then try again
     */
    boolean cancel(long context);

    /**
     * What the endpoint was opened with.
     *
     * @return a copy of the info, which lives as long as the endpoint and cannot be changed
     */
    FabricInfo info();

    /**
     * The endpoint's own address, for its peers ({@code fi_getname}). Complete once the endpoint is enabled.
     *
     * @return the address
     */
    Address address();

    /**
     * Gives the endpoint an address of the application's choice ({@code fi_setname}). Before it is enabled or asked for
     * its address; one that is to connect ({@code FI_EP_MSG}) also before an event queue is bound.
     *
     * @param address an address of this side; port 0 for any port
     * @return this
     * @throws IllegalStateException if the endpoint is enabled, answers a connection request, or is to connect and has
     *     an event queue
     */
    Endpoint setAddress(Address address);

    /**
     * The value of an option ({@code fi_getopt}).
     *
     * @param option the option
     * @param <V> the type of its values
     * @return the value
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it
     * @throws IllegalStateException if the provider tells only once the endpoint is enabled (shm)
     */
    <V> V option(EndpointOption<V> option);

    /**
     * Sets an option ({@code fi_setopt}); many only before the endpoint is enabled.
     *
     * @param option the option
     * @param value the value
     * @param <V> the type of its values
     * @return this
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it
     */
    <V> Endpoint setOption(EndpointOption<V> option, V value);

    /**
     * Asks a listening peer for a connection ({@code fi_connect}), without data. See
     * {@link #connect(Address, byte[])}.
     *
     * @param peer what the peer's {@link PassiveEndpoint#address()} gave
     */
    void connect(Address peer);

    /**
     * Asks a listening peer for a connection ({@code fi_connect}). The bound event queue then delivers
     * {@link FabricEvent.Connected}, or an {@link EventException} if the peer rejects it or is not there; on some
     * providers, such as tcp, the request leaves only while that queue is read. Once per endpoint; connected endpoints
     * ({@link EndpointType#MSG}) only.
     *
     * @param peer what the peer's {@link PassiveEndpoint#address()} gave
     * @param data comes with the request, as much as the provider takes ({@link EndpointOption#CM_DATA_SIZE})
     * @throws IllegalArgumentException if there is more of it, or the peer's address is not one that this endpoint can
     *     connect to, such as an IPv6 one from an IPv4 endpoint
     * @throws IllegalStateException if no event queue is bound, or the endpoint has been connected before
     * @throws FabricException from the provider; on sockets {@code FI_ECONNREFUSED} if nobody listens there
     */
    void connect(Address peer, byte[] data);

    /** Accepts the connection request that the endpoint was opened from, without data. See {@link #accept(byte[])}. */
    void accept();

    /**
     * Accepts the connection request that the endpoint was opened from ({@code fi_accept}). The bound event queue
     * then delivers {@link FabricEvent.Connected}; some providers connect only when that is read, and operations
     * before throw {@link IllegalStateException}.
     *
     * @param data what the peer gets with its own {@link FabricEvent.Connected}, as much as the provider takes
     *     ({@link EndpointOption#CM_DATA_SIZE})
     * @throws IllegalArgumentException if there is more of it; the endpoint may then accept with less
     * @throws IllegalStateException if no event queue is bound, or the endpoint was not opened from the info of a
     *     {@link FabricEvent.ConnectionRequest}
     */
    void accept(byte[] data);

    /**
     * Ends the connection ({@code fi_shutdown}): the event queues of both sides deliver {@link FabricEvent.Shutdown},
     * and operations that are still under way fail. Again, or after the peer has ended it, it does nothing, except on
     * sockets: when the peer ends the connection, receives stay posted there, as messages may be arriving yet, and this
     * ends them; it also tells neither queue, and the peer only hears of it when the endpoint is closed. A provider
     * with manual progress (tcp) notices what the peer did when the completion queue is polled.
     *
     * @throws IllegalStateException if there is no connection yet; close the endpoint to give an attempt up
     */
    void shutdown();

    /**
     * The address of the peer ({@code fi_getpeer}) of a connected endpoint.
     *
     * @return the address
     * @throws IllegalStateException before {@link #connect(Address)} or {@link #accept()}
     */
    Address peerAddress();

    /**
     * Joins a multicast group ({@code fi_join}) to receive from it and to send to it, where the endpoint was opened
     * with the capability {@link io.jfabric.info.Capability#MULTICAST}. The bound event queue delivers
     * {@link FabricEvent.JoinComplete} when it is done.
     *
     * @param group the address of the group
     * @param context comes back in the event
     * @return the group; close it to leave
     * @throws IllegalStateException if no event queue is bound
     * @throws FabricException if the endpoint cannot join: {@code FI_EINVAL} if it is not a multicast address,
     *     {@code FI_EADDRINUSE} if the endpoint has joined that group already, {@code FI_ENODEV} if no interface leads
     *     to it; {@code FI_EOPNOTSUPP} if the endpoint was opened to send only; or what else the provider answers
     */
    MulticastGroup join(Address group, long context);

    /**
     * Joins a multicast group and tells the provider that it is only to receive from it, or only to send to it. The
     * provider udp does both, whatever is said. See {@link #join(Address, long)}.
     *
     * @param group the address of the group
     * @param context comes back in the event
     * @param only what for
     * @return the group; close it to leave
     */
    MulticastGroup join(Address group, long context, Direction only);

    /**
     * The default flags of operations that take none of their own ({@code FI_GETOPSFLAG}).
     *
     * @param direction of which operations
     * @return the flags
     * @throws FabricException {@code FI_ENOSYS} where the provider does not tell (most)
     */
    Flags<OperationFlag> operationFlags(Direction direction);

    /**
     * Changes the default flags of operations that take none of their own ({@code FI_SETOPSFLAG}). Waits until no other
     * thread is in an operation of this endpoint.
     *
     * @param direction of which operations
     * @param flags the flags
     * @return this
     * @throws IllegalArgumentException if one of the flags cannot be a default
     * @throws IllegalStateException if threads do not come out of native calls
     * @throws FabricException {@code FI_EOPNOTSUPP} if the provider cannot have one of the flags as a default;
     *     {@code FI_ENOSYS} if libfabric is too old for one, or the provider cannot change them (most); see
     *     {@link #alias}
     */
    Endpoint setOperationFlags(Direction direction, Flags<OperationFlag> flags);

    /**
     * Counts of the endpoint's operations. Counting costs an operation next to nothing; reading goes through everything
     * under way. Works on a closed endpoint too. Thread-safe.
     *
     * @return a snapshot
     */
    OperationStatistics statistics();

    /**
     * How many more operations the transmit context takes ({@code fi_tx_size_left}).
     *
     * @return a lower bound
     * @deprecated by libfabric: post until an operation returns false
     */
    @Deprecated
    long transmitSizeLeft();

    /**
     * How many more buffers the receive context takes ({@code fi_rx_size_left}).
     *
     * @return a lower bound
     * @deprecated by libfabric: post until an operation returns false
     */
    @Deprecated
    long receiveSizeLeft();
}
