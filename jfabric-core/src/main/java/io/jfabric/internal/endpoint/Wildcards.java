// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Warns of endpoints with a wildcard address, where the provider compares addresses to settle who connects to whom, or
 * tells peers its own. Only some that send first are at risk, so they are not refused.
 */
final class Wildcards {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private Wildcards() {
    }

    /** Throws if peers of one address family would cut off those of the other. */
    static void beforeEnabling(EndpointImpl endpoint, EndpointState state) {
        if (state.domain().quirks().has(Quirk.BOTH_FAMILIES_AT_WILDCARD)) {
            Address address = endpoint.address();
            // without a port it is not bound yet, and will get an address of the machine
            if (address.format() == AddressFormat.SOCKADDR_IN6 && isWildcard(address)
                    && address.toInetSocketAddress().getPort() != 0) {
                throw new IllegalStateException("fi_enable: " + endpoint + " has the address " + address + ", where a "
                        + "message from an IPv4 peer would cut off all IPv6 ones: give it the address of one "
                        + "interface, as the node of getInfo with the flag SOURCE");
            }
        }
    }

    /** Warns once in a process. */
    static void enabled(EndpointImpl endpoint, EndpointState state) {
        String risk = TOLD.get() || endpoint.info().endpoint().type() != EndpointType.RDM ? null
                : risk(state.domain().quirks());
        Address address = risk == null ? null : endpoint.address();
        if (address != null && isWildcard(address) && !TOLD.getAndSet(true)) {
            LOG.warn("{}: {} has the address {}: {}: give it an address of this machine, as the node of getInfo with "
                    + "the flag SOURCE", endpoint.info().provider(), endpoint, address, risk);
        }
    }

    private static String risk(Quirks quirks) {
        if (quirks.has(Quirk.WILDCARDS_SPEAK_IN_VAIN)) {
            return "what it sends to a peer that it has not heard of never arrives";
        }
        return quirks.has(Quirk.WILDCARD_ENDPOINTS) ? "if it and a peer send to each other for the first time at the "
                + "same moment, or it to itself, messages may be lost" : null;
    }

    private static boolean isWildcard(Address address) {
        return switch (address.format()) {
            case SOCKADDR_IN, SOCKADDR_IN6 -> {
                InetSocketAddress own = address.toInetSocketAddress();
                yield own.getAddress().isAnyLocalAddress();
            }
            default -> false;
        };
    }
}
