// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.MulticastGroup;
import io.jfabric.bindings.fid_mc;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.connect.PendingJoins;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.life.Turn;
import io.jfabric.internal.ops.CmOps;
import io.jfabric.internal.quirk.JoinTrial;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** {@link MulticastGroup}. */
public final class MulticastGroupImpl extends FidObject implements MulticastGroup, PendingJoins.Join {
    private final EndpointImpl endpoint;
    private final Address group;
    private final long context;
    private final long token;
    private final long address;

    private MulticastGroupImpl(EndpointImpl endpoint, Address group, long context, long token, long handle) {
        super(endpoint, handle);
        this.group = group;
        this.endpoint = endpoint;
        this.context = context;
        this.token = token;
        this.address = Memory.getLong(handle + fid_mc.fi_addr$offset());
    }

    public static MulticastGroupImpl join(EndpointImpl endpoint, Quirks quirks, Address group, long flags,
            long context) {
        endpoint.handle();
        if (!endpoint.connection().isReported()) {
            throw new IllegalStateException("fi_join: bind an event queue first, it reports the join");
        }
        quirks.requireNoHook(Quirk.HOOKS_LOSE_SOURCES, "fi_join");
        try (Arena arena = Arena.ofConfined()) {
            long address = Names.copy("fi_join", endpoint.info(), group, arena);
            MulticastGroupImpl[] joined = new MulticastGroupImpl[1];
            // two threads may want the same group, and only one can have it
            Turn.locked(endpoint, () -> {
                endpoint.handle();
                if (quirks.has(Quirk.FAILED_JOIN_IS_NEVER_LEFT)) {
                    JoinTrial.check("fi_join", group, joined(endpoint), receives(endpoint));
                }
                joined[0] = join(endpoint, group, address, flags, context);
                endpoint.destinations().joined(joined[0].address);
            });
            return joined[0];
        }
    }

    private static MulticastGroupImpl join(EndpointImpl endpoint, Address group, long address, long flags,
            long context) {
        PendingJoins joins = endpoint.fabricState().joins();
        long token = joins.begin();
        MulticastGroupImpl joined = null;
        try {
            joined = Opening.of(endpoint, "fi_join", (ep, result) -> CmOps.join(ep, address, flags, result, token),
                    mc -> new MulticastGroupImpl(endpoint, group, context, token, mc),
                    "provider " + endpoint.info().provider() + ", group " + group);
            return joined;
        } finally {
            if (joined == null) {
                joins.failed(token);
            } else {
                joins.started(token, joined);
            }
        }
    }

    private static List<Address> joined(EndpointImpl endpoint) {
        List<Address> groups = new ArrayList<>();
        endpoint.eachChild(child -> {
            if (child instanceof MulticastGroupImpl other) {
                groups.add(other.group);
            }
        });
        return groups;
    }

    /** Without either capability it can do both. */
    private static boolean receives(EndpointImpl endpoint) {
        Flags<Capability> capabilities = endpoint.info().capabilities();
        return capabilities.contains(Capability.RECV) || !capabilities.contains(Capability.SEND);
    }

    @Override
    public EndpointImpl endpoint() {
        return endpoint;
    }

    @Override
    public long fabricAddress() {
        handle();
        return address;
    }

    @Override
    public void joined() {
        // only the event says so
    }

    @Override
    public void failed() {
        // as above
    }

    @Override
    public long context() {
        return context;
    }

    @Override
    public MulticastGroupImpl group() {
        return this;
    }

    @Override
    protected void closed() {
        endpoint.fabricState().joins().forget(token);
        endpoint.destinations().left(address);
    }

    @Override
    public String kind() {
        return "multicast group";
    }
}
