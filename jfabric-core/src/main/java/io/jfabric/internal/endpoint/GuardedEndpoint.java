// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Endpoint;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.address.ShmPeers;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.ContextSlab;
import io.jfabric.internal.post.PendingTriggers;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.EndpointOption;

/** The part of {@link Endpoint} that keeps from providers what would crash them. Costs operations a comparison. */
public abstract class GuardedEndpoint extends ConnectableEndpoint {
    private final EndpointRole role;
    private final Destinations destinations;
    private final MultiReceiveGuard multiReceives;
    /** Null but for udp;ofi_rxd. */
    private FirstContact firstContact;
    /** Addresses below this, unsigned, need no closer look. Read without synchronisation: when stale it is lower. */
    private long destinationLimit;
    private long sourceLimit;
    private boolean transmitQueue;
    private boolean receiveQueue;
    private boolean enabled;
    private AddressVectorImpl spareVector;

    public GuardedEndpoint(FidObject parent, long fid, FabricInfoImpl info, EndpointRole role, boolean fromRequest) {
        super(parent, fid, info, fromRequest);
        this.role = role;
        this.destinations = new Destinations(this, role == EndpointRole.ENDPOINT ? this : parent);
        this.multiReceives = new MultiReceiveGuard(info());
        if (role != EndpointRole.ALIAS && role != EndpointRole.SHARED_RECEIVE_CONTEXT) {
            takeOutOfService();
        }
    }

    public final void watchTransmits(ContextSlab operations) {
        firstContact = FirstContact.of(info(), operations);
    }

    public final void queueBound(long bits) {
        transmitQueue |= (bits & BindFlag.TRANSMIT.code()) != 0;
        receiveQueue |= (bits & BindFlag.RECV.code()) != 0;
    }

    public final boolean hasTransmitQueue() {
        return transmitQueue;
    }

    public final boolean isEnabled() {
        return enabled;
    }

    public final void checkReady(long receiveFlags) {
        if (enabled && isOpen()) {
            // rxm starts everything once more, and then never lets go of its domain
            throw new IllegalStateException("fi_enable: the " + kind() + " is enabled already");
        }
        if (role == EndpointRole.ENDPOINT) {
            Readiness.checkVector(isConnected() || used(AddressVectorImpl.class) != null);
            Readiness.checkQueues(info(), transmitQueue, receiveQueue);
            multiReceives.checkDefault(receiveFlags);
        }
    }

    public final void enabled() {
        enabled = true;
        putIntoService();
    }

    @Override
    protected boolean postponesBindings() {
        return role == EndpointRole.ENDPOINT && !enabled
                && Quirks.of(info().provider()).hasAny(Quirk.POLLS_WHAT_IS_BOUND, Quirk.POLLS_WHAT_IS_BOUND_TO_TCP);
    }

    @Override
    protected String bindingFor(FidObject other) {
        return super.bindingFor(other) + (enabled ? "; it is enabled already, bind before that" : "");
    }

    /** Whether it is of the type that has one peer. */
    public final boolean isConnected() {
        return info().endpoint().type() == EndpointType.MSG;
    }

    /** Whether operations of that direction would have the provider follow a null queue. */
    public final boolean lacksQueue(boolean transmit) {
        return role == EndpointRole.ENDPOINT && !(transmit ? transmitQueue : receiveQueue)
                && Readiness.needsQueues(info());
    }

    /** For an operation that sends to an address. */
    public final long handleTo(long destination) {
        if (Long.compareUnsigned(destination, destinationLimit) >= 0) {
            look(destination);
            if (firstContact != null) {
                firstContact.sending(destination);
            }
        }
        return handle();
    }

    /** For an operation that reports no completion, or that {@link #mayFetch} is asked about. */
    public final long handleToUnseen(long destination) {
        if (Long.compareUnsigned(destination, destinationLimit) >= 0) {
            look(destination);
        }
        return handle();
    }

    /** For a receive, which may be from one address only. */
    public final long handleFrom(long source) {
        if (source != Address.ANY && Long.compareUnsigned(source, sourceLimit) >= 0) {
            handle();
            destinations.checkSource(source);
            sourceLimit = destinations.sourceLimit();
        }
        return handle();
    }

    /** Throws unless it is good; how often this is needed is up to the provider and to what was removed. */
    private void look(long destination) {
        check(destination);
        if (firstContact == null) {
            destinationLimit = destinations.limit();
        }
    }

    private void check(long destination) {
        handle();
        if (lacksQueue(true)) {
            throw Readiness.noQueue("TRANSMIT");
        }
        destinations.check(destination);
    }

    public abstract PendingTriggers pendingTriggers();

    public final void addressRemoved() {
        destinationLimit = 0;
        sourceLimit = 0;
    }

    /** Whether operations that fetch have to ask {@link #mayFetch}. */
    public final boolean fetchesWithCare() {
        return firstContact != null;
    }

    public final boolean mayFetch(String operation, long destination, boolean reports) {
        return firstContact == null || firstContact.mayFetch(operation, destination, reports);
    }

    public final void checkReceive(String operation, long length, long flags) {
        if ((flags & Libfabric.FI_MULTI_RECV()) != 0) {
            multiReceives.check(operation, length);
        }
    }

    @Override
    public final <V> void optionSet(EndpointOption<V> option, V value) {
        if (option.code() == EndpointOption.MIN_MULTI_RECV.code() && value instanceof Long size) {
            multiReceives.promise(size);
        }
    }

    @Override
    public void closing() {
        pendingTriggers().checkClosable(this);
        bindPostponed();
        if (spareVector == null && role == EndpointRole.ENDPOINT) {
            spareVector = MissingVector.bindBeforeClose((EndpointImpl) this);
        }
        if (enabled && role == EndpointRole.ENDPOINT && ShmPeers.is(info())) {
            ShmPeers.closing(address());
        }
    }

    @Override
    public void closed() {
        if (spareVector != null) {
            spareVector.close();
        }
        super.closed();
    }
}
