// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.MultiReceiveGuard;
import io.jfabric.option.EndpointOption;

/** What all kinds of endpoints have: the info they were opened with, an address, options. */
public final class Naming {
    private final FidObject endpoint;
    private final FabricInfoImpl info;
    /** Null if, or once, the provider can be asked for options. */
    private volatile EarlyOptions early;

    /** For an endpoint opened with that info, which is a copy of its own, as providers keep pointers into it. */
    public Naming(FidObject endpoint, FabricInfoImpl own) {
        this.endpoint = endpoint;
        this.info = own;
        this.early = EarlyOptions.of(own);
    }

    /** The endpoint's copy, which lives as long as the endpoint. */
    public FabricInfoImpl info() {
        return info;
    }

    public Address address() {
        return endpoint.call(fid -> Names.own(fid, info));
    }

    /** Sets the address, unless the check throws. */
    public void setAddress(Address address, Runnable check) {
        endpoint.fid();
        check.run();
        checkFormat(address);
        endpoint.call(fid -> {
            Names.set(fid, info, address);
            return null;
        });
    }

    /** Only if peers are found by addresses: an endpoint that connects may do so from either format. */
    private void checkFormat(Address address) {
        int format = info.addressFormatCode();
        boolean isChecked = AddressShape.isOneIp(format) && info.endpoint().type() != EndpointType.MSG;
        if (isChecked && address != null && address.isInet()
                && address.length() != AddressShape.length(format, address.bytes())) {
            throw new IllegalArgumentException("fi_setname: " + address + " does not have the format of the endpoint, "
                    + AddressShape.name(format) + ", which addresses of its peers have, too: take one of that format, "
                    + "or an info of the other");
        }
    }

    public <V> V option(EndpointOption<V> option) {
        Arguments.given(option, "fi_getopt", "the option");
        endpoint.fid();
        EarlyOptions kept = early;
        if (kept != null) {
            throw kept.unreadable(option);
        }
        return endpoint.call(fid -> Options.read(fid, option));
    }

    public <V> void setOption(EndpointOption<V> option, V value) {
        Arguments.given(option, "fi_setopt", "the option");
        MultiReceiveGuard.checkValue(option, value);
        endpoint.fid();
        EarlyOptions kept = early;
        if (kept == null || !kept.keep(option, value)) {
            endpoint.call(fid -> {
                Options.write(fid, option, value);
                return null;
            });
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
