// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fid_mc;
import io.jfabric.ffi.CmOps;
import io.jfabric.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A multicast group that an endpoint has joined (fi_join, fi_cm(3)). To send to it, give {@link #address()} as the
 * destination and {@link io.jfabric.info.OperationFlag#MULTICAST} among the flags. Closing it leaves the group.
 */
public final class MulticastGroup extends FabricObject {
    private final Endpoint endpoint;
    private final long address;

    private MulticastGroup(Endpoint endpoint, long handle) {
        super(endpoint, handle);
        this.endpoint = endpoint;
        this.address = Memory.getLong(handle + fid_mc.fi_addr$offset());
    }

    static MulticastGroup join(Endpoint endpoint, Address group, long flags, long context) {
        try (Arena arena = Arena.ofConfined()) {
            long address = Names.copy("fi_join", endpoint.info(), group, arena);
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_join", CmOps.join(endpoint.handle(), address, flags, result.address(), context),
                    "provider " + endpoint.info().provider() + ", group " + group);
            return new MulticastGroup(endpoint, result.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /** Providers take a group's address for a pointer: no other value may get there. */
    static void checkDestination(Endpoint endpoint, long destination, long flags) {
        if ((flags & Libfabric.FI_MULTICAST()) != 0 && !endpoint.hasJoined(destination)) {
            throw new IllegalArgumentException("MULTICAST: the destination " + destination
                    + " is not the address() of an open MulticastGroup of this endpoint");
        }
    }

    /**
     * The endpoint that has joined.
     *
     * @return the endpoint
     */
    public Endpoint endpoint() {
        return endpoint;
    }

    /**
     * The address to send to ({@code fi_mc_addr}). Valid until the group is closed, for this endpoint only.
     *
     * @return the destination
     */
    public long address() {
        handle();
        return address;
    }

    @Override
    void closed() {
        endpoint.left(address);
    }

    @Override
    String kind() {
        return "multicast group";
    }
}
