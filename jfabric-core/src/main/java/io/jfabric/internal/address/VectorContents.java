// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.SharedTable;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;

/**
 * Tells what is in an address vector: what it has handed out, also as the address of a receive context, and where
 * others can take it out, whether it is still there.
 */
final class VectorContents {
    private final FidObject vector;
    private final KnownAddresses known;
    /** The only record of what is in a shared vector, which the provider does not check; null for others. */
    private final SharedTable shared;
    /** The bits of an address that number the receive contexts of one endpoint. */
    private final int receiveContextBits;
    /** The bits that the provider leaves out of an address that it looks up, but not of one that it removes. */
    private final long masked;

    /**
     * For a vector that was opened with that many bits for receive contexts.
     *
     * @param numbered whether the provider has several for an endpoint: others take the bits for a part of the index
     */
    VectorContents(FidObject vector, KnownAddresses known, SharedTable shared, int bits, boolean numbered) {
        this.vector = vector;
        this.known = known;
        this.shared = shared;
        this.receiveContextBits = numbered ? bits : 0;
        this.masked = ~(-1L >>> bits);
    }

    KnownAddresses known() {
        return known;
    }

    /** Makes an insertion of that many refuse if the table has no room for them; while the vector is open. */
    LongFunction<Integer> ifRoom(long count, LongFunction<Integer> insertion) {
        return shared == null ? insertion : shared.ifRoom(count, insertion);
    }

    /** Throws unless it is an address that the vector has handed out. */
    void check(String operation, long address) {
        vector.handle();
        if (!known.has(address) || shared != null && !isThere(address)) {
            // throws if a closer took the address out with its endpoint, and then closed the vector
            vector.call(av -> av);
            throw new IllegalArgumentException(operation + ": " + Long.toUnsignedString(address)
                    + " is not in the address vector");
        }
    }

    /** Whether the provider knows the address, or that of the endpoint whose receive context it is. */
    boolean has(long address) {
        return knows(address) && (shared == null || isThere(index(address)));
    }

    /** As {@link #has}, without a look into the table of a shared one. */
    boolean knows(long address) {
        return known.has(index(address));
    }

    /** As {@link KnownAddresses#aboveLimit}; null also if only the table tells. */
    LongPredicate aboveLimit() {
        LongPredicate all = shared != null ? null : known.aboveLimit();
        return all == null || receiveContextBits == 0 ? all : address -> all.test(index(address));
    }

    /** Tells of each address whether it is in; null if only the table tells. */
    LongPredicate each() {
        return shared != null ? null : this::knows;
    }

    /** All below this are in the vector; unsigned. */
    long limit() {
        return shared != null ? 0 : known.limit();
    }

    private long index(long address) {
        return receiveContextBits == 0 ? address : address & -1L >>> receiveContextBits;
    }

    private boolean isThere(long index) {
        return (index & masked) == 0 && vector.call(av -> shared.has(index));
    }
}
