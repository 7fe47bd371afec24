// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.Endpoint;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.quirk.Quirk;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Warns of messages that come before their receives, where the provider keeps them for the domain and not for an
 * endpoint: tagged ones go to other endpoints, and untagged ones wait for those of others. Programs may post all
 * receives first, so nothing is refused.
 */
final class EarlyTags {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private EarlyTags() {
    }

    /**
     * Warns once in a process, when a domain has a second endpoint that could take what is not meant for it. Not about
     * endpoints that are kept by then: jfabric opened those itself, and they get nothing else.
     */
    static void enabled(EndpointImpl endpoint, EndpointState state) {
        if (!TOLD.get() && !endpoint.entry().isKept() && takesAny(endpoint.info()) && state.domain().quirks()
                .hasAny(Quirk.EARLY_MESSAGES_GO_ASTRAY, Quirk.EARLY_MESSAGES_GO_ASTRAY_OF_NET)) {
            state.domain().object().eachChild(child -> {
                if (child != endpoint && child instanceof EndpointImpl other && other.isEnabled() && other.isOpen()
                        && takesAny(other.info()) && !TOLD.getAndSet(true)) {
                    LOG.warn("{}: a tagged message to {} that comes before its receive may be received by {}, which "
                            + "is of the same domain, an untagged one may not be received while one waits there, and "
                            + "the other way round: open a domain for each endpoint, or post receives before what they "
                            + "are for can come", endpoint.info().provider(), endpoint, other);
                }
            });
        }
    }

    private static boolean takesAny(FabricInfoImpl info) {
        Flags<Capability> caps = info.capabilities();
        return info.endpoint().type() == EndpointType.RDM && caps.contains(Capability.RECV)
                && (caps.contains(Capability.TAGGED) || caps.contains(Capability.MSG));
    }
}
