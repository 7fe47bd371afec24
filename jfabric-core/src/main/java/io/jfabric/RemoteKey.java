// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.Arrays;

/** A key as the registering side sees it, which the side that uses it must map first ({@code fi_mr_map_raw}). */
final class RemoteKey {
    final long base;
    final byte[] bytes;
    private final int hash;

    RemoteKey(long base, byte[] bytes) {
        this.base = base;
        this.bytes = bytes;
        this.hash = 31 * Arrays.hashCode(bytes) + Long.hashCode(base);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteKey k && k.hash == hash && k.base == base && Arrays.equals(k.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
