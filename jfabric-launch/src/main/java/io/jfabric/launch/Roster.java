// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import io.jfabric.info.Address;
import io.jfabric.launch.internal.job.RosterImpl;

/** The addresses of all ranks in one address vector. Immutable. From {@link Job#exchange}. */
public sealed interface Roster permits RosterImpl {
    /**
     * How many ranks there are.
     *
     * @return the size of the job
     */
    int size();

    /**
     * What operations take to reach a rank ({@code fi_addr_t}). In an address vector of type {@code TABLE} that was
     * empty before, it is the rank itself, unless a rank was lost before the exchange.
     *
     * @param rank from 0
     * @return the fabric address; {@link Address#NOT_AVAILABLE} for a rank that was lost before the exchange
     * @throws IndexOutOfBoundsException if the job has no such rank
     */
    long peer(int rank);

    /**
     * The network address of a rank.
     *
     * @param rank from 0
     * @return a copy of its bytes; none for a rank that was lost before the exchange
     * @throws IndexOutOfBoundsException if the job has no such rank
     */
    byte[] address(int rank);
}
