// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.info.Address;

/** What an address vector is bound to. */
public interface VectorUser {
    /** Whether it is in service. */
    boolean isEnabled();

    /** For providers that go through all users of a vector. */
    default void requireEnabled(String operation, String provider) {
        if (!isEnabled()) {
            throw new IllegalStateException(operation + ": an endpoint that the address vector is bound to is not "
                    + "enabled: with provider " + provider + ", enable it first");
        }
    }

    /** Its own address. */
    Address address();

    /** The address is not in the vector any more. */
    void addressRemoved(long address);
}
