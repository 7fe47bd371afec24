// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Capability;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.life.FidObject;

/**
 * What an endpoint can send to, and receive from alone. Providers read beyond their tables for an address that is not
 * in the address vector, and through null for a connection that is not there. Mostly one comparison in
 * {@link GuardedEndpoint#handleTo} tells; this is for where it does not.
 */
public final class Destinations {
    private static final long ALL = -1;

    private final GuardedEndpoint endpoint;
    private final FidObject binder;
    private final boolean directed;

    /** The binder is what has the address vector: the endpoint, or what it is a part of. */
    public Destinations(GuardedEndpoint endpoint, FidObject binder) {
        this.endpoint = endpoint;
        this.binder = binder;
        this.directed = endpoint.info().capabilities().contains(Capability.DIRECTED_RECV);
    }

    public void check(long destination) {
        if (endpoint.isConnected()) {
            endpoint.connection().checkSendable();
            return;
        }
        AddressVectorImpl vector = binder.used(AddressVectorImpl.class);
        if (vector == null) {
            throw new IllegalStateException("the endpoint has no address vector: bind one before it is enabled");
        }
        if (!vector.has(destination) && !endpoint.hasJoined(destination)) {
            throw new IllegalArgumentException("destination " + destination + " is not in the address vector of the "
                    + "endpoint: take what AddressVector.insert returned");
        }
    }

    /** Without DIRECTED_RECV nobody looks at it; with it, tcp of libfabric 2 follows what it finds in the vector. */
    public void checkSource(long source) {
        AddressVectorImpl vector = directed && !endpoint.isConnected() ? binder.used(AddressVectorImpl.class) : null;
        if (vector != null && !vector.has(source)) {
            throw new IllegalArgumentException("source " + source + " is not in the address vector of the endpoint: "
                    + "take what AddressVector.insert returned, or Address.ANY");
        }
    }

    public long sourceLimit() {
        return directed ? limit() : ALL;
    }

    /** All addresses below this, unsigned, are good until one is removed. */
    public long limit() {
        if (endpoint.isConnected()) {
            return ALL;
        }
        // a removal resets the endpoint that the vector is bound to, not its parts
        return binder == endpoint ? binder.used(AddressVectorImpl.class).limit() : 0;
    }
}
