// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Address;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.AddressSpace;
import io.jfabric.internal.life.Neighbours;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.shm.ShmPresence;
import io.jfabric.internal.shared.DomainState;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What an endpoint is to others: a name in memory that they share, a port, a way into memory of this process. */
final class Presence implements Neighbours {
    private final DomainState domain;
    /** Whether others can know it, unlike a part of an endpoint. */
    private final boolean whole;
    private final ShmPresence shared;
    private boolean mustStay;

    Presence(DomainState domain, FabricInfoImpl info, boolean whole) {
        this.domain = domain;
        this.whole = whole;
        this.shared = new ShmPresence(domain.quirks(), info, whole);
        if (domain.lateAccess() != null) {
            domain.lateAccess().opened(this);
        }
    }

    void beforeEnabling(Supplier<Address> address, AddressVectorImpl bound) {
        // connected ones have no vector
        shared.beforeEnabling(address, () -> bound.peerNames());
    }

    /** Called when it is enabled, but nobody knows of it yet: 0, or an error that {@link #whyNot} explains. */
    int enabled(Supplier<Address> address) {
        if (whole && domain.quirks().has(Quirk.PACKETS_OUTLIVE_ENDPOINTS)) {
            UsedPorts.add(address.get());
        }
        return shared.enabled(address);
    }

    /** Why it could not be enabled; null if the error says it all. */
    String whyNot(int result, FabricInfoImpl info) {
        if (result == -Errno.EADDRINUSE) {
            return "another endpoint has the address " + info.sourceAddress().map(Address::toString).orElse("");
        }
        if (result == -Errno.EADDRNOTAVAIL) {
            return info.sourceAddress().map(source -> "source address " + source).orElse(null);
        }
        return shared.whyNot(result);
    }

    void begin(Address address, AddressVectorImpl bound, BooleanSupplier inside, Consumer<String> breakDown) {
        shared.begin(address, bound.peerNames(), inside, breakDown);
    }

    /** Called when it is about to be closed. */
    void leave(Address address) {
        shared.leave(address);
    }

    /** Whether somebody has held the lock of its memory for a while, so that a poll would wait for that. */
    boolean isLocked() {
        return shared.isLocked();
    }

    void endWatch() {
        shared.endWatch();
    }

    @Override
    public List<AddressSpace> memory() {
        return shared.written().map(AddressSpace::of).orElse(List.of());
    }

    /** Keeps it open: the provider would not survive closing it now. */
    void keep() {
        mustStay = true;
    }

    @Override
    public boolean mustStay() {
        return mustStay;
    }

    @Override
    public boolean isReferred() {
        return shared.isReferred();
    }

    void end() {
        shared.end();
        if (domain.lateAccess() != null) {
            domain.lateAccess().closed(this);
        }
    }
}
