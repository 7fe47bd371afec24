// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.AddressVector;
import io.jfabric.Endpoint;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.ffi.Log;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The addresses of peers' side endpoints. Each is in the address vector once, however many users it has: of an address
 * that was inserted twice the provider would keep some of what it has. Any thread.
 */
final class SidePlaces {
    private static final Log LOG = Log.of(Node.class);

    private final Endpoint endpoint;
    private final AddressVector vector;
    private final Map<Address, Place> places = new HashMap<>();

    SidePlaces(Endpoint endpoint, AddressVector vector) {
        this.endpoint = endpoint;
        this.vector = vector;
    }

    /** One more user of an address; null if the provider does not take it, or the node is closed. */
    synchronized Place take(Address where) {
        Place place = places.get(where);
        if (place == null) {
            try {
                place = new Place(where, vector.insert(where));
            } catch (RuntimeException noAddress) {
                LOG.debug("nobody is asked or answered at {}: {}", where, noAddress.toString());
                return null;
            }
            places.put(where, place);
        }
        place.users++;
        return place;
    }

    /** One user less. */
    synchronized void release(Place place) {
        if (--place.users == 0) {
            places.remove(place.where);
            place.remove();
        }
    }

    /** The address of somebody's side endpoint, as it is in the address vector. */
    final class Place {
        private final Address where;
        private final long fabricAddress;
        /** Guarded by the places. */
        private int users;
        private boolean removed;

        private Place(Address where, long fabricAddress) {
            this.where = where;
            this.fabricAddress = fabricAddress;
        }

        Address where() {
            return where;
        }

        /** Returns whether the provider took it. Nothing is sent once this is removed: the address may be another's. */
        synchronized boolean inject(MemorySegment beat, long length) {
            return !removed && endpoint.tagged().inject(beat, 0, length, fabricAddress, OwnTags.ALIVE);
        }

        synchronized boolean isRemoved() {
            return removed;
        }

        private synchronized void remove() {
            removed = true;
            try {
                vector.remove(fabricAddress);
            } catch (RuntimeException refused) {
                LOG.debug("{} stays in the address vector of keep-alive: {}", where, refused.toString());
            }
        }
    }
}
