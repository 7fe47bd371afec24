// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.option.AddressVectorAttributes;

/** Some providers look for connections to close in the address vector even if there is none. */
final class MissingVector {
    private MissingVector() {
    }

    /** Call before an endpoint is closed; the result must be closed after it. */
    static AddressVectorImpl bindBeforeClose(EndpointImpl endpoint) {
        if (!endpoint.state().domain().quirks().has(Quirk.CLOSE_NEEDS_VECTOR) || endpoint.isConnected()
                || endpoint.used(AddressVectorImpl.class) != null) {
            return null;
        }
        AddressVectorImpl vector = AddressVectorImpl.open(endpoint.state().domain(), AddressVectorAttributes.DEFAULT);
        endpoint.bind(vector);
        return vector;
    }
}
