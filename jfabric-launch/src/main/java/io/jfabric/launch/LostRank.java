// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

/**
 * A process that is no longer there, or has closed its job before others who wait for it.
 *
 * @param rank its rank; -1 for the launcher, or a rendezvous server that is none of the ranks
 * @param host where it was
 * @param reason what is known about its end
 */
public record LostRank(int rank, String host, String reason) {
    /** For people. */
    @Override
    public String toString() {
        return (rank < 0 ? "the launcher or rendezvous server" : "rank " + rank) + " on " + host + ": " + reason;
    }
}
