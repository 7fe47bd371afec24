// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.Exports;
import io.jfabric.ffi.InfoOwner;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeLibrary;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;

/**
 * What an application asks of a provider: the hints of fi_getinfo(3).
 *
 * <p>An attribute that is not set means "any". New hints already accept every mode and memory registration mode that
 * jfabric handles by itself, so that providers which demand them (verbs, psm3, efa ...) are offered too.
 *
 * <p>Setters return this. Not thread-safe. Closing twice is allowed; all else fails after closing.
 */
public final class Hints extends Info<Hints> implements AutoCloseable {
    private final InfoOwner owner;
    private final LeakReport.Tracker tracker;

    private Hints(InfoOwner owner) {
        super(owner.first());
        this.owner = owner;
        this.tracker = LeakReport.track(this, "Hints");
    }

    /**
     * Hints that accept everything jfabric can handle ({@code fi_allocinfo}).
     *
     * @return new hints, to be closed
     */
    public static Hints create() {
        Hints hints = empty();
        Flags<Mode> handled = Flags.of(Mode.CONTEXT, Mode.CONTEXT2, Mode.MSG_PREFIX, Mode.RX_CQ_DATA);
        hints.mode(handled).domain().mode(handled).mrMode(MrMode.LOCAL, MrMode.RAW, MrMode.VIRT_ADDR,
                MrMode.ALLOCATED, MrMode.PROV_KEY, MrMode.ENDPOINT, MrMode.HMEM, MrMode.COLLECTIVE);
        return hints;
    }

    /**
     * Hints with every attribute zero, modes included ({@code fi_allocinfo}): for those who want to state the modes
     * themselves.
     *
     * @return new hints, to be closed
     */
    public static Hints empty() {
        NativeLibrary.require();
        return new Hints(new InfoOwner("the Hints", Exports.dupinfo(0)));
    }

    /**
     * Hints that ask for what an info or other hints describe ({@code fi_dupinfo}).
     *
     * @param info what to copy
     * @return new hints, to be closed
     */
    public static Hints copyOf(Info<?> info) {
        return new Hints(new InfoOwner("the Hints", Exports.dupinfo(info.address())));
    }

    @Override
    Hints self() {
        return this;
    }

    /**
     * Asks for an endpoint type.
     *
     * @param type the type
     * @return this
     */
    public Hints endpointType(EndpointType type) {
        endpoint().type(type);
        return this;
    }

    /**
     * Asks for a provider.
     *
     * @param name such as {@code tcp}, {@code shm} or {@code tcp;ofi_rxm}; null for any
     * @return this
     */
    public Hints provider(String name) {
        fabric().providerName(name);
        return this;
    }

    /**
     * Asks for infos of an open fabric.
     *
     * @param fabric the fabric; null for any
     * @return this
     */
    public Hints fabric(Fabric fabric) {
        long attributes = Memory.getLong(address() + fi_info.fabric_attr$offset());
        Memory.putLong(attributes + fi_fabric_attr.fabric$offset(), fabric == null ? 0 : fabric.handle());
        return this;
    }

    /**
     * Asks for infos of an open domain.
     *
     * @param domain the domain; null for any
     * @return this
     */
    public Hints domain(Domain domain) {
        long attributes = Memory.getLong(address() + fi_info.domain_attr$offset());
        Memory.putLong(attributes + fi_domain_attr.domain$offset(), domain == null ? 0 : domain.handle());
        return this;
    }

    /** Frees the native memory. */
    @Override
    public void close() {
        tracker.closed();
        owner.free();
    }
}
