// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.info.Address;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.EndpointOption;

/** What all kinds of endpoints have: the info they were opened with, an address, options. */
public final class Naming {
    private final FidObject endpoint;
    private final FabricInfoImpl info;
    /** Null where, or once, the provider can be asked for options. */
    private EarlyOptions early;

    /** Of an endpoint that is opened with that info. */
    public Naming(FidObject endpoint, FabricInfoImpl opened) {
        this.endpoint = endpoint;
        this.info = opened.copy();
        this.early = EarlyOptions.of(opened);
    }

    /** A copy, which lives as long as the endpoint. */
    public FabricInfoImpl info() {
        return info;
    }

    public Address address() {
        return Names.own(endpoint.fid(), info);
    }

    public void setAddress(Address address) {
        Names.set(endpoint.fid(), info, address);
    }

    public <V> V option(EndpointOption<V> option) {
        long fid = endpoint.fid();
        if (early != null) {
            throw early.unreadable(option);
        }
        return Options.read(fid, option);
    }

    public <V> void setOption(EndpointOption<V> option, V value) {
        long fid = endpoint.fid();
        if (early == null || !early.keep(option, value)) {
            Options.write(fid, option, value);
        }
    }

    /** The endpoint is enabled: the provider gets what was set before. */
    public void takeEarlyOptions() {
        EarlyOptions kept = early;
        early = null;
        if (kept != null) {
            kept.apply(this);
        }
    }

    /** The endpoint is closed. */
    public void close() {
        info.free();
    }
}
