// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.Exports;
import io.jfabric.ffi.InfoMemory;
import io.jfabric.ffi.InfoOwner;
import io.jfabric.ffi.Memory;

/**
 * One way to reach the network, as fi_getinfo(3) found it: a provider, a domain, an endpoint type and their limits.
 *
 * <p>An info of a {@link FabricInfoList} lives as long as the list; {@link #duplicate()} gives one of its own. Its
 * attributes can be changed before an object is opened from it, as in C. Not thread-safe.
 */
public final class FabricInfo extends Info<FabricInfo> implements AutoCloseable {
    private final LeakReport.Tracker tracker;

    FabricInfo(InfoMemory memory) {
        super(memory);
        this.tracker = null;
    }

    FabricInfo(InfoOwner owner) {
        super(owner.first());
        this.tracker = LeakReport.track(this, "FabricInfo");
    }

    /** Takes over an info that libfabric handed out. */
    static FabricInfo owning(long address) {
        return new FabricInfo(new InfoOwner("the FabricInfo", address));
    }

    @Override
    FabricInfo self() {
        return this;
    }

    /**
     * A copy that lives until it is closed ({@code fi_dupinfo}).
     *
     * @return the copy, to be closed
     */
    public FabricInfo duplicate() {
        return owning(Exports.dupinfo(address()));
    }

    /** A copy for an object that frees it when it is closed itself; {@link #close()} does nothing to it. */
    FabricInfo copy() {
        return new FabricInfo(new InfoOwner("the FabricInfo", Exports.dupinfo(address())).first());
    }

    /** Frees a {@link #copy()}. */
    void free() {
        memory.owner().free();
    }

    /**
     * The provider's name.
     *
     * @return such as {@code tcp;ofi_rxm}
     */
    public String provider() {
        return fabric().providerName();
    }

    /**
     * A short line for people.
     *
     * @return provider, endpoint type, domain and local address
     */
    public String summary() {
        return provider() + " " + endpoint().type().nativeName() + " on " + domain().name()
                + sourceAddress().map(a -> " at " + a).orElse("");
    }

    /**
     * Lets an endpoint that is opened from this info take over the address of a passive endpoint, to connect from
     * there ({@code fi_info.handle}, fi_endpoint(3)).
     *
     * @param passive an endpoint that does not listen
     * @return this
     */
    public FabricInfo passiveEndpoint(PassiveEndpoint passive) {
        Memory.putLong(address() + fi_info.handle$offset(), passive.handle());
        return this;
    }

    /** Whether it may still be read. */
    boolean isOpen() {
        return !memory.owner().isFreed();
    }

    /** Frees a duplicate; does nothing to an info that belongs to a list or to another object. */
    @Override
    public void close() {
        if (tracker != null) {
            tracker.closed();
            memory.owner().free();
        }
    }
}
