// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import io.jfabric.info.Address;
import java.util.List;

/** The addresses of all ranks in one address vector. Immutable. From {@link Job#exchange}. */
public final class Roster {
    private final long[] peers;
    private final List<byte[]> addresses;

    /**
     * Addresses by rank.
     *
     * @param peers the values that the address vector gave
     * @param addresses the network addresses
     */
    public Roster(long[] peers, List<byte[]> addresses) {
        if (peers.length != addresses.size()) {
            throw new IllegalArgumentException("addresses: " + addresses.size() + " for " + peers.length + " peers");
        }
        this.peers = peers.clone();
        this.addresses = List.copyOf(addresses);
    }

    /**
     * How many ranks there are.
     *
     * @return the size of the job
     */
    public int size() {
        return peers.length;
    }

    /**
     * What operations take to reach a rank ({@code fi_addr_t}). In an address vector of type {@code TABLE} that was
     * empty before, it is the rank itself, unless a rank was lost before the exchange.
     *
     * @param rank from 0
     * @return the fabric address; {@link Address#NOT_AVAILABLE} for a rank that was lost before the exchange
     * @throws IndexOutOfBoundsException if the job has no such rank
     */
    public long peer(int rank) {
        return peers[checked("peer", rank)];
    }

    /**
     * The network address of a rank.
     *
     * @param rank from 0
     * @return a copy of its bytes; none for a rank that was lost before the exchange
     * @throws IndexOutOfBoundsException if the job has no such rank
     */
    public byte[] address(int rank) {
        return addresses.get(checked("address", rank)).clone();
    }

    private int checked(String operation, int rank) {
        if (rank < 0 || rank >= peers.length) {
            throw new IndexOutOfBoundsException(operation + ": there is no rank " + rank + "; take one from 0 to "
                    + (peers.length - 1));
        }
        return rank;
    }
}
