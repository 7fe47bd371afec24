// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Endpoint;
import io.jfabric.EventException;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.connect.Connection;
import io.jfabric.internal.connect.NamedEndpoint;
import io.jfabric.internal.ffi.EpOps;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.BindFlag;
import io.jfabric.option.EndpointOption;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The control half of {@link Endpoint}: connections, multicast groups, default flags. */
public abstract class ConnectableEndpoint extends NamedEndpoint<EndpointImpl> {
    private final Connection connection;
    private final Map<Long, MulticastGroupImpl> groups = new ConcurrentHashMap<>();

    public ConnectableEndpoint(FidObject parent, long handle, FabricInfoImpl info, boolean fromRequest) {
        super(parent, handle, info);
        this.connection = new Connection(info(), fromRequest);
    }

    public final Connection connection() {
        return connection;
    }

    /**
     * Asks a listening peer for a connection ({@code fi_connect}), without data. See
     * {@link #connect(Address, byte[])}.
     *
     * @param peer what the peer's {@link PassiveEndpoint#address()} gave
     */
    public final void connect(Address peer) {
        connect(peer, new byte[0]);
    }

    /**
     * Asks a listening peer for a connection ({@code fi_connect}). The bound event queue then delivers
     * {@link FabricEvent.Connected}, or an {@link EventException} if the peer rejects it or is not there. Once per
     * endpoint; connected endpoints ({@link EndpointType#MSG}) only.
     *
     * @param peer what the peer's {@link PassiveEndpoint#address()} gave
     * @param data comes with the request, as much as the provider takes ({@link EndpointOption#CM_DATA_SIZE})
     * @throws IllegalStateException if no event queue is bound, or the endpoint has been connected before
     */
    public final void connect(Address peer, byte[] data) {
        connection.connect(this::inService, peer, data);
    }

    /** Accepts the connection request that the endpoint was opened from, without data. See {@link #accept(byte[])}. */
    public final void accept() {
        accept(new byte[0]);
    }

    /**
     * Accepts the connection request that the endpoint was opened from ({@code fi_accept}). The bound event queue
     * then delivers {@link FabricEvent.Connected}.
     *
     * @param data what the peer gets with its own {@link FabricEvent.Connected}
     * @throws IllegalStateException if no event queue is bound, or the endpoint was not opened from the info of a
     *     {@link FabricEvent.ConnectionRequest}
     */
    public final void accept(byte[] data) {
        connection.accept(this::inService, data);
    }

    /**
     * Ends the connection ({@code fi_shutdown}): the event queues of both sides deliver {@link FabricEvent.Shutdown},
     * and operations that are still under way fail. Again, or after the peer has ended it, does nothing. A provider
     * with manual progress (tcp) notices what the peer did when the completion queue is polled.
     *
     * @throws IllegalStateException if there is no connection yet; close the endpoint to give an attempt up
     */
    public final void shutdown() {
        connection.shutdown(fid());
    }

    /**
     * The address of the peer ({@code fi_getpeer}) of a connected endpoint.
     *
     * @return the address
     * @throws IllegalStateException before {@link #connect(Address)} or {@link #accept()}
     */
    public final Address peerAddress() {
        return connection.peer(fid());
    }

    /**
     * Joins a multicast group ({@code fi_join}) to receive from it and to send to it, where the endpoint was opened
     * with the capability {@link io.jfabric.info.Capability#MULTICAST}. The bound event queue delivers
     * {@link FabricEvent.JoinComplete} when it is done.
     *
     * @param group the address of the group
     * @param context comes back in the event
     * @param directions {@link BindFlag#TRANSMIT} only to send, {@link BindFlag#RECV} only to receive; none for both
     * @return the group; close it to leave
     * @throws IllegalStateException if no event queue is bound
     */
    public final MulticastGroupImpl join(Address group, long context, BindFlag... directions) {
        handle();
        if (!connection.isReported()) {
            throw new IllegalStateException("fi_join: bind an event queue first, it reports the join");
        }
        MulticastGroupImpl joined = MulticastGroupImpl.join((EndpointImpl) this, group, BindFlag.bits(directions),
                context);
        groups.put(joined.address(), joined);
        return joined;
    }

    public final boolean hasJoined(long groupAddress) {
        return groups.containsKey(groupAddress);
    }

    public final void left(long groupAddress) {
        groups.remove(groupAddress);
    }

    /**
     * The default flags of operations that take none of their own ({@code FI_GETOPSFLAG}).
     *
     * @param direction {@link BindFlag#TRANSMIT} or {@link BindFlag#RECV}
     * @return the flags
     */
    public final Flags<OperationFlag> operationFlags(BindFlag direction) {
        long bit = directionBit(direction);
        return Flags.ofBits(OperationFlag.class,
                controlFlags("FI_GETOPSFLAG", Libfabric.FI_GETOPSFLAG(), bit) & ~bit);
    }

    /**
     * Changes the default flags of operations that take none of their own ({@code FI_SETOPSFLAG}).
     *
     * @param direction {@link BindFlag#TRANSMIT} or {@link BindFlag#RECV}
     * @param flags the flags
     * @return this
     */
    public final EndpointImpl setOperationFlags(BindFlag direction, Flags<OperationFlag> flags) {
        long bit = directionBit(direction);
        Known.require(flags, "operation flags");
        controlFlags("FI_SETOPSFLAG", Libfabric.FI_SETOPSFLAG(), flags.bits() | bit);
        operationFlagsChanged(direction, flags.bits());
        return self();
    }

    /** As libfabric says of fi_connect and fi_accept; not all providers do. */
    public abstract void enableImplicitly();

    private long inService() {
        enableImplicitly();
        return handle();
    }

    public abstract void operationFlagsChanged(BindFlag direction, long bits);

    public static long directionBit(BindFlag direction) {
        Objects.requireNonNull(direction, "direction");
        if (direction != BindFlag.TRANSMIT && direction != BindFlag.RECV) {
            throw new IllegalArgumentException("direction: " + direction + " is neither TRANSMIT nor RECV");
        }
        return direction.code();
    }

    /**
     * How many more operations the transmit context takes ({@code fi_tx_size_left}).
     *
     * @return a lower bound
     * @deprecated by libfabric: post until an operation returns false
     */
    @Deprecated
    public final long transmitSizeLeft() {
        long result = EpOps.txSizeLeft(handle());
        check("fi_tx_size_left", result, "provider " + info().provider());
        return result;
    }

    /**
     * How many more buffers the receive context takes ({@code fi_rx_size_left}).
     *
     * @return a lower bound
     * @deprecated by libfabric: post until an operation returns false
     */
    @Deprecated
    public final long receiveSizeLeft() {
        long result = EpOps.rxSizeLeft(handle());
        check("fi_rx_size_left", result, "provider " + info().provider());
        return result;
    }
}
