// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

/** What an address vector is bound to. */
public interface VectorUser {
    /** Whether it is in service. */
    boolean isEnabled();

    /** An address is not in the vector any more. */
    void addressRemoved();
}
