// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

/** Peers by the value that completions report for them. Immutable: looked at for each message, seldom changed. */
final class PeerTable {
    static final PeerTable EMPTY = new PeerTable(16, 0);

    private final PeerImpl[] cells;
    private final int count;

    private PeerTable(int capacity, int count) {
        cells = new PeerImpl[capacity];
        this.count = count;
    }

    PeerImpl find(long address) {
        int mask = cells.length - 1;
        for (int i = hash(address) & mask; cells[i] != null; i = i + 1 & mask) {
            if (cells[i].fabricAddress() == address) {
                return cells[i];
            }
        }
        return null;
    }

    PeerTable with(PeerImpl peer) {
        return copy(null, peer);
    }

    PeerTable without(PeerImpl peer) {
        return find(peer.fabricAddress()) == peer ? copy(peer, null) : this;
    }

    private PeerTable copy(PeerImpl without, PeerImpl with) {
        int size = count + (with == null ? -1 : find(with.fabricAddress()) == null ? 1 : 0);
        PeerTable copy = new PeerTable(Math.max(16, Integer.highestOneBit(Math.max(1, size)) * 4), size);
        for (PeerImpl peer : cells) {
            // of two with the same value the newer one stays
            if (peer != null && peer != without && (with == null || peer.fabricAddress() != with.fabricAddress())) {
                copy.put(peer);
            }
        }
        if (with != null) {
            copy.put(with);
        }
        return copy;
    }

    private void put(PeerImpl peer) {
        int mask = cells.length - 1;
        int i = hash(peer.fabricAddress()) & mask;
        while (cells[i] != null) {
            i = i + 1 & mask;
        }
        cells[i] = peer;
    }

    private static int hash(long address) {
        long mixed = address * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }
}
