// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.Quirk;
import java.util.ArrayList;
import java.util.List;

/**
 * Untagged receives of an endpoint that may not be under way together: those from any peer, and those from one. They
 * may follow each other as long as one thread posts them all: what another has checked, it may not have posted yet.
 */
final class OneKind {
    private enum Kind { NONE, ANY, DIRECTED }

    private final String provider;
    /** The endpoint and its aliases. */
    private final List<EndpointImpl> endpoints = new ArrayList<>();
    private Kind kind = Kind.NONE;
    private Thread owner;
    private boolean shared;

    private OneKind(String provider) {
        this.provider = provider;
    }

    /** Shared by an endpoint and its aliases; null where both kinds may be mixed. */
    static OneKind of(EndpointImpl endpoint, FidObject binder) {
        if (!endpoint.info().quirks().hasAny(Quirk.DIRECTED_AND_ANY, Quirk.DIRECTED_AND_ANY_IN_RXM)) {
            return null;
        }
        OneKind one = binder != endpoint && binder instanceof EndpointImpl whole ? whole.destinations().oneKind()
                : new OneKind(endpoint.info().provider());
        synchronized (one) {
            one.endpoints.add(endpoint);
        }
        return one;
    }

    synchronized void check(long peer) {
        Kind wanted = peer == Address.ANY ? Kind.ANY : Kind.DIRECTED;
        Thread me = Thread.currentThread();
        owner = owner == null ? me : owner;
        shared |= owner != me;
        if (kind == wanted) {
            return;
        }
        if (kind != Kind.NONE && (shared || areUnderWay())) {
            throw FabricException.of("fi_recv", Errno.EOPNOTSUPP, "provider " + provider + " of this libfabric cannot "
                    + "have untagged receives from " + (kind == Kind.ANY ? "one peer beside those from Address.ANY"
                    : "Address.ANY beside those from one peer") + ": use tagged ones, or two endpoints");
        }
        kind = wanted;
    }

    private boolean areUnderWay() {
        boolean directed = kind == Kind.DIRECTED;
        return endpoints.stream().anyMatch(e -> e.state().contexts().mayReceive(directed));
    }
}
