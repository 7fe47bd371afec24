// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.util.concurrent.atomic.AtomicBoolean;

/** A domain that may have only one endpoint in its life, to which all inserted addresses belong. */
public final class LoneEndpoint {
    private final AtomicBoolean isThere = new AtomicBoolean();

    /** Call before opening an endpoint; one that then fails to open counts, too, as it does for the provider. */
    public void claim(Quirks quirks) {
        if (quirks.has(Quirk.ENDPOINTS_ARE_COUNTED) && !isThere.compareAndSet(false, true)) {
            throw new IllegalStateException("fi_endpoint: the domain has had its endpoint; the provider looks for the "
                    + "peers of a second one where there are none: open another domain");
        }
    }

    /** Call before an insertion or removal. */
    public static void checkBound(Quirks quirks, String operation, boolean isBound) {
        if (!isBound && quirks.has(Quirk.ENDPOINTS_ARE_COUNTED)) {
            throw new IllegalStateException(operation + ": the address vector has no endpoint, and the provider would "
                    + "never find one for the address: bind it to an endpoint first, and enable that; if that is "
                    + "closed, open another vector");
        }
    }
}
