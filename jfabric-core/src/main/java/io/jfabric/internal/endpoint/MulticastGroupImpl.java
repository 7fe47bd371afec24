// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.MulticastGroup;
import io.jfabric.bindings.fid_mc;
import io.jfabric.info.Address;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.CmOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@link MulticastGroup}. */
public final class MulticastGroupImpl extends FidObject implements MulticastGroup {
    private final EndpointImpl endpoint;
    private final long address;

    private MulticastGroupImpl(EndpointImpl endpoint, long handle) {
        super(endpoint, handle);
        this.endpoint = endpoint;
        this.address = Memory.getLong(handle + fid_mc.fi_addr$offset());
    }

    public static MulticastGroupImpl join(EndpointImpl endpoint, Address group, long flags, long context) {
        try (Arena arena = Arena.ofConfined()) {
            long address = Names.copy("fi_join", endpoint.info(), group, arena);
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            endpoint.handle();
            return endpoint.call(fid -> {
                check("fi_join", CmOps.join(fid, address, flags, result.address(), context),
                        "provider " + endpoint.info().provider() + ", group " + group);
                return new MulticastGroupImpl(endpoint, result.get(ValueLayout.JAVA_LONG, 0));
            });
        }
    }

    @Override
    public EndpointImpl endpoint() {
        return endpoint;
    }

    @Override
    public long address() {
        handle();
        return address;
    }

    @Override
    public void closed() {
        endpoint.destinations().left(address);
    }

    @Override
    public String kind() {
        return "multicast group";
    }
}
