// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.shm.Sm2Room;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Which addresses an address vector has handed out. Providers that count them up, nearly all, read beyond their tables
 * when they are given another.
 */
final class KnownAddresses {
    /** A provider that leaves more room than this between two addresses does not count them up. */
    private static final long GAP = 1 << 20;
    /**
     * Libfabric's tables of addresses are lists of chunks, as large as the vector was opened for. Lists move when
     * another so many chunks are added ({@code OFI_BUFPOOL_REGION_CHUNK_CNT}).
     */
    private static final long CHUNKS = 16;

    private long end;
    /** How often an address was inserted beside the first time: it has to be removed as often. */
    private final Map<Long, Integer> again = new HashMap<>();
    /** The addresses that are in, as long as they are counted up. */
    private final CountedAddresses counted = new CountedAddresses();
    /** The addresses that are in, where they are pointers; null where they are counted up. */
    private volatile ScatteredAddresses scattered;
    /** Whether other processes insert, too: only the provider knows what is in. */
    private final boolean untracked;
    private final boolean placesRunOut;
    private long frozen = -1;

    /**
     * For one vector.
     *
     * @param named whether other processes may insert too
     * @param placesRunOut whether all vectors of the machine share a limited number of places
     */
    KnownAddresses(boolean named, boolean placesRunOut) {
        this.untracked = named;
        this.placesRunOut = placesRunOut;
    }

    /** A possible reason for a refusal, to follow the address. */
    String whyRefused() {
        if (placesRunOut) {
            return "; perhaps " + Sm2Room.NO_PLACE;
        }
        return untracked ? ": a shared vector takes none when it is full, or was opened for reading" : "";
    }

    /** Takes note of what an insertion returned; entries that failed are {@link Address#NOT_AVAILABLE}. */
    synchronized void add(MemorySegment results, long count) {
        for (long i = 0; i < count; i++) {
            add(results.get(JAVA_LONG_UNALIGNED, i * JAVA_LONG_UNALIGNED.byteSize()));
        }
    }

    /** Takes note of an address. */
    synchronized void add(long address) {
        if (address == Address.NOT_AVAILABLE) {
            return;
        }
        if (scattered == null && (address < 0 || address - end > GAP)) {
            scatter();
        }
        if (!(scattered != null ? scattered.add(address) : counted.add(address))) {
            again.merge(address, 1, Integer::sum);
        }
        if (address >= end && address - end <= GAP) {
            end = address + 1;
        }
    }

    private void scatter() {
        ScatteredAddresses all = new ScatteredAddresses();
        LongStream.range(0, end).filter(counted::isIn).forEach(all::add);
        scattered = all;
        counted.retire();
    }

    /** A place in the provider's table that no address is handed out for. */
    synchronized void taken(long place) {
        if (scattered == null) {
            scatter();
        }
        end = Math.max(end, place + 1);
    }

    /** Whether the provider's table may move when that many are inserted, and somebody may be looking into it. */
    synchronized boolean mayGrow(long count) {
        return end > 0 && (end + count - 1) / CHUNKS > (end - 1) / CHUNKS;
    }

    /** Returns whether it is gone now: not while it was inserted more often. */
    synchronized boolean remove(long address) {
        Integer more = again.remove(address);
        if (more == null) {
            return forget(address);
        }
        if (more > 1) {
            again.put(address, more - 1);
        }
        return false;
    }

    /** Removes it, however often it was inserted. */
    synchronized boolean forget(long address) {
        again.remove(address);
        if (scattered != null) {
            scattered.remove(address);
        } else {
            counted.remove(address);
        }
        return true;
    }

    /** Waits for nobody, and allocates nothing. */
    boolean has(long address) {
        ScatteredAddresses all = scattered;
        return untracked || (all != null ? all.test(address) : counted.isIn(address));
    }

    /** All below this are in the vector; unsigned. */
    synchronized long limit() {
        return untracked ? -1 : scattered != null ? 0 : counted.limit();
    }

    /** Tells whether an address is in where the limit does not, as long as it does not; null if it always does. */
    LongPredicate aboveLimit() {
        return untracked ? null : scattered != null ? scattered : counted;
    }

    /** One more than the largest address. */
    synchronized long end() {
        return end;
    }

    /** How many addresses a provider copies for the first set: it would copy removed ones, too. */
    synchronized long freeze() {
        if (frozen < 0) {
            if (!counted.hasAll()) {
                throw new IllegalStateException("fi_av_set: " + counted.limit() + " was removed from the address "
                        + "vector, and joins send to all it ever had; insert the peers into a new one");
            }
            frozen = end;
        }
        return frozen;
    }

    synchronized boolean isFrozen() {
        return frozen >= 0;
    }
}
