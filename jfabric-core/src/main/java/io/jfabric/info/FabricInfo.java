// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.FabricInfoImpl;

/**
 * One way to reach the network, as fi_getinfo(3) found it: a provider, a domain, an endpoint type and their limits.
 *
 * <p>An info of a {@link FabricInfoList} can be used until the list is closed; {@link #duplicate()} makes a copy that
 * outlives it. A duplicate that nobody closes is freed when it becomes garbage. The attributes can be changed before an
 * object is opened from the info, as in C. Not thread-safe.
 */
public sealed interface FabricInfo extends Info<FabricInfo>, AutoCloseable permits FabricInfoImpl {
    /**
     * A copy that lives until it is closed ({@code fi_dupinfo}).
     *
     * @return the copy, to be closed
     */
    FabricInfo duplicate();

    /**
     * The provider's name.
     *
     * @return such as {@code tcp;ofi_rxm}; empty if a program has cleared it
     */
    String provider();

    /**
     * A short line for people.
     *
     * @return provider, endpoint type, domain and local address
     */
    String summary();

    /** Frees a duplicate; does nothing to an info that belongs to a list or to another object. */
    @Override
    void close();
}
