// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/** Until libfabric 2, rxm looks for connections to close in the address vector, also where there is none. */
final class MissingVector {
    private MissingVector() {
    }

    /** Called before an endpoint is closed; the answer is to be closed after it. */
    static AddressVector bindBeforeClose(Endpoint endpoint) {
        if (!endpoint.info().provider().endsWith("ofi_rxm") || endpoint.used(AddressVector.class) != null) {
            return null;
        }
        AddressVector vector = endpoint.domain().openAddressVector();
        endpoint.bind(vector);
        return vector;
    }
}
