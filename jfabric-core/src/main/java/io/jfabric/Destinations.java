// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * What an endpoint can send to. Providers read beyond their tables for an address that is not in the address vector,
 * and through null for a connection that is not there. Mostly one comparison in {@link GuardedEndpoint#handleTo} tells;
 * this is for where it does not.
 */
final class Destinations {
    private static final long ALL = -1;

    private final GuardedEndpoint endpoint;
    private final FabricObject binder;

    /** The binder is what has the address vector: the endpoint, or what it is a part of. */
    Destinations(GuardedEndpoint endpoint, FabricObject binder) {
        this.endpoint = endpoint;
        this.binder = binder;
    }

    void check(long destination) {
        if (endpoint.isConnected()) {
            endpoint.connection().checkSendable();
            return;
        }
        AddressVector vector = binder.used(AddressVector.class);
        if (vector == null) {
            throw new IllegalStateException("the endpoint has no address vector: bind one before it is enabled");
        }
        if (!vector.has(destination) && !endpoint.hasJoined(destination)) {
            throw new IllegalArgumentException("destination " + destination + " is not in the address vector of the "
                    + "endpoint: take what AddressVector.insert returned");
        }
    }

    /** All addresses below this, unsigned, are good until one is removed. */
    long limit() {
        if (endpoint.isConnected()) {
            return ALL;
        }
        // a removal resets the endpoint that the vector is bound to, not its parts
        return binder == endpoint ? binder.used(AddressVector.class).limit() : 0;
    }
}
