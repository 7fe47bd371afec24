// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.quirk.Quirk;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Endpoints at no address of the machine in particular, where the provider compares addresses to settle who connects to
 * whom. Only those that send first at the same time are at risk, so that nothing is refused.
 */
final class Wildcards {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private Wildcards() {
    }

    /** Once in a process. */
    static void enabled(EndpointImpl endpoint, EndpointState state) {
        if (!TOLD.get() && endpoint.info().endpoint().type() == EndpointType.RDM
                && state.domain().quirks().has(Quirk.WILDCARD_ENDPOINTS)) {
            Address address = endpoint.address();
            if (isWildcard(address) && !TOLD.getAndSet(true)) {
                LOG.warn("{}: {} has the address {}: if it and a peer send to each other for the first time at the "
                        + "same moment, or it to itself, messages may be lost: give it an address of this machine, as "
                        + "the node of getInfo with the flag SOURCE", endpoint.info().provider(), endpoint, address);
            }
        }
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
