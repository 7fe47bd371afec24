// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

/** What an address vector is bound to. */
public interface VectorUser {
    /** Whether it is in service. */
    boolean isEnabled();

    /** The address is not in the vector any more. */
    void addressRemoved(long address);
}
