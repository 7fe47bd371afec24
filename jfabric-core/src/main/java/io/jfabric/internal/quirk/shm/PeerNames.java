// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.util.function.LongConsumer;
import java.util.function.ToLongBiFunction;

/**
 * What is kept of the peers in an address vector, for a provider that knows them by the names of their files, and has
 * to be told by which name to look for one, and whether it may. Other providers get addresses as they are: for them
 * each method does only what it does here.
 */
public interface PeerNames {
    /** Inserts one address that is packed in memory: {@code fi_av_insert}. */
    @FunctionalInterface
    interface Insertion {
        int insert(long packed, long result, long flags);
    }

    /** A name that the provider cannot reach, or no longer can. */
    final class Unreachable extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Unreachable(String message) {
            super(message);
        }
    }

    /**
     * For a new vector.
     *
     * @param forget takes an address out of the vector
     * @param taken takes note of a place in the vector that is nobody's address
     */
    static PeerNames of(Quirks quirks, LongConsumer forget, LongConsumer taken) {
        return quirks.has(Quirk.PEERS_IN_PROCESS) ? ShmPeers.of(forget, taken, quirks) : new PeerNames() { };
    }

    /** Before anything is inserted: throws where the address cannot be a name. */
    default void check(byte[] address) {
    }

    /** The name that is packed there, in jfabric's own memory; null where addresses are not names. */
    default byte[] read(long packed) {
        return null;
    }

    /**
     * Inserts one address, in whatever way the provider can take it.
     *
     * @return how many were inserted, or an error
     */
    default int insert(byte[] address, long packed, long result, ToLongBiFunction<Arena, byte[]> packing,
            Insertion insertion) {
        return insertion.insert(packed, result, 0);
    }

    /** After an insertion. */
    default void inserted(byte[] address, long value) {
    }

    /** After an insertion, outside of the native call: logging, or looking at a process, may take a while. */
    default void met(byte[] address) {
    }

    /** Explains an error of an insertion; null where the error says it all. */
    default String explain(int refusal, byte[] address) {
        return null;
    }

    /** How many places one insertion may take. */
    default int mostPlaces() {
        return 1;
    }

    /** After a removal. */
    default void removed(long address) {
    }

    /** An address that the provider knows, as it was given. */
    default byte[] given(byte[] address) {
        return address;
    }

    /** Whether an address of the vector was that of an endpoint of this process that is closed. */
    default boolean isClosed(long address) {
        return false;
    }

    /** Before an endpoint with this vector is enabled. */
    default void checkEnabling(Address own) {
    }

    /** An endpoint of this process, with this vector, can be found from here on. */
    default void enabled(Address own) {
    }

    /** An endpoint with this vector is about to be closed, and has that region. */
    default void leaving(SharedRegion own) {
    }

    /** The provider has closed the vector. */
    default void closed() {
    }

    /** Whether the vector has addresses of endpoints that are not of this process. */
    default boolean knowsOthers() {
        return false;
    }

    /** Whether an enabled endpoint of this process knows, or is known by, the one of that name with this vector. */
    default boolean isReferred(String fullName) {
        return false;
    }
}
