// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.EndpointOption;

/**
 * What all kinds of endpoints have: an info, an address and options.
 *
 * @param <T> the concrete type, which setters return
 */
public abstract class NamedEndpoint<T extends NamedEndpoint<T>> extends FidObject {
    private final FabricInfoImpl info;
    /** Null where, or once, the provider can be asked for options. */
    private volatile EarlyOptions early;

    public NamedEndpoint(FidObject parent, long handle, FabricInfoImpl info) {
        super(parent, handle);
        this.info = info.copy();
        this.early = EarlyOptions.of(info);
    }

    public abstract T self();

    /**
     * What the endpoint was opened with.
     *
     * @return a copy of the info, which lives as long as the endpoint
     */
    public final FabricInfoImpl info() {
        return info;
    }

    /**
     * The endpoint's own address, for its peers ({@code fi_getname}). Complete once the endpoint is enabled or
     * listens.
     *
     * @return the address
     */
    public final Address address() {
        return call(fid -> Names.own(fid, info));
    }

    /**
     * Gives the endpoint an address of the application's choice ({@code fi_setname}). Before it is enabled, connected,
     * listening, or asked for its address.
     *
     * @param address an address of this side; port 0 for any port
     * @return this
     */
    public T setAddress(Address address) {
        return call(fid -> {
            Names.set(fid, info, address);
            return self();
        });
    }

    /**
     * The value of an option ({@code fi_getopt}).
     *
     * @param option the option
     * @param <V> the type of its values
     * @return the value
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it
     * @throws IllegalStateException if the provider tells only once the endpoint is enabled (shm)
     */
    public final <V> V option(EndpointOption<V> option) {
        fid();
        EarlyOptions kept = early;
        if (kept != null) {
            throw kept.unreadable(option);
        }
        return call(fid -> Options.read(fid, option));
    }

    /**
     * Sets an option ({@code fi_setopt}); many only before the endpoint is enabled.
     *
     * @param option the option
     * @param value the value
     * @param <V> the type of its values
     * @return this
     * @throws FabricException {@code FI_ENOPROTOOPT} if the provider does not have it
     */
    public final <V> T setOption(EndpointOption<V> option, V value) {
        fid();
        EarlyOptions kept = early;
        if (kept == null || !kept.keep(option, value)) {
            call(fid -> {
                Options.write(fid, option, value);
                return null;
            });
        }
        optionSet(option, value);
        return self();
    }

    /** The endpoint is enabled: the provider gets what was set before. */
    public final void takeEarlyOptions() {
        EarlyOptions kept = early;
        early = null;
        if (kept != null) {
            kept.apply(this);
        }
    }

    /** Takes note of what the application has chosen. */
    public <V> void optionSet(EndpointOption<V> option, V value) {

    }

    @Override
    public void closed() {
        info.free();
    }
}
