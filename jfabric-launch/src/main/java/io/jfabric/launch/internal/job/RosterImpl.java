// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import io.jfabric.launch.Roster;
import java.util.List;

/** {@link Roster}. */
public final class RosterImpl implements Roster {
    private final long[] peers;
    private final List<byte[]> addresses;

    /** Both by rank: the values that the address vector gave, and the network addresses. */
    public RosterImpl(long[] peers, List<byte[]> addresses) {
        this.peers = peers.clone();
        this.addresses = List.copyOf(addresses);
    }

    @Override
    public int size() {
        return peers.length;
    }

    @Override
    public long peer(int rank) {
        return peers[checked("peer", rank)];
    }

    @Override
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
