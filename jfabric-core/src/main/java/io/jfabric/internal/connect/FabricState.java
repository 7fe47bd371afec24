// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.Fabric;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.quirk.Quirks;
import java.util.function.LongFunction;

/** What the objects of a fabric share: connection requests that wait for an answer, joins under way. */
public final class FabricState {
    private final Fabric fabric;
    private final FidObject object;
    private final String provider;
    private final Quirks quirks;
    private final String name;
    private final PendingJoins joins = new PendingJoins();
    private final RootJoins rootJoins = new RootJoins();
    private final ConnectionRequests connectionRequests;

    /** For a fabric of that provider, with its name. */
    public <F extends FidObject & Fabric> FabricState(F fabric, String provider, String name) {
        this.name = name;
        this.fabric = fabric;
        this.object = fabric;
        this.provider = provider;
        this.quirks = Quirks.of(provider);
        this.connectionRequests = new ConnectionRequests(object);
    }

    /** The public face. */
    public Fabric fabric() {
        return fabric;
    }

    /** The parent of what is opened from the fabric. */
    public FidObject object() {
        return object;
    }

    /** Opens something from the fabric. The advice, null for none, goes into the exception. */
    public <T extends FidObject> T open(String operation, Opening.Opener opener, LongFunction<T> made, String advice) {
        return Opening.of(object, operation, opener, made, "provider " + provider
                + (advice == null ? "" : ", " + advice));
    }

    public String provider() {
        return provider;
    }

    public Quirks quirks() {
        return quirks;
    }

    /** {@code fi_fabric_attr.name} */
    public String name() {
        return name;
    }

    public PendingJoins joins() {
        return joins;
    }

    public RootJoins rootJoins() {
        return rootJoins;
    }

    public ConnectionRequests connectionRequests() {
        return connectionRequests;
    }
}
