// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.info.FabricInfo;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/**
 * Limits the sizes that things are opened with. Providers multiply them unchecked: what does not fit 64 bits becomes a
 * small piece of memory, and what the machine does not have is noticed when it is used.
 */
public final class Sizes {
    /** A provider needs some 50 bytes for each. */
    private static final long MOST_ENTRIES = 1L << 22;
    private static final long MOST_ADDRESSES = 1L << 24;
    /** {@code SIZE_MAX}, with which some providers say that there is no limit. */
    private static final long NO_LIMIT = -1;

    private static final long ENOUGH_FOR_ERRORS = 1 << 16;

    /** Where queues overflow: operations of one endpoint in one direction, and endpoints that a queue has room for. */
    private static final long MOST_COUNTED = 1 << 16;
    private static final long ENDPOINTS = 4;

    private Sizes() {
    }

    /** The size to open a queue with. */
    public static long entries(String operation, long asked) {
        if (asked == NO_LIMIT) {
            return 0;
        }
        if (Long.compareUnsigned(asked, MOST_ENTRIES) > 0) {
            throw new IllegalArgumentException(operation + ": size " + Long.toUnsignedString(asked) + " is more than "
                    + MOST_ENTRIES + " entries, the most that jfabric opens a queue with; take 0 for the provider's "
                    + "default, or as many as there will be operations under way");
        }
        return asked;
    }

    /** The size to open a completion queue with. */
    public static long completions(String operation, long asked, FabricInfo info, Quirks quirks) {
        long size = entries(operation, asked);
        if (quirks.has(Quirk.QUEUES_OVERFLOW)) {
            size = Math.max(size, ENDPOINTS * (counted(info.tx().size()) + counted(info.rx().size())));
        }
        if (quirks.has(Quirk.ERRORS_OVERFLOW)) {
            size = Math.max(size, ENOUGH_FOR_ERRORS);
        }
        return size;
    }

    /** The size to open a completion queue with for {@code size} entries of that many bytes. */
    public static long whole(long size, long entryBytes, Quirks quirks) {
        if (!quirks.has(Quirk.QUEUE_HOLDS_MORE_THAN_SOURCES)) {
            return size;
        }
        long bytes = size * entryBytes;
        boolean isPower = (bytes & bytes - 1) == 0;
        return (isPower ? bytes : Long.highestOneBit(bytes) << 1) / entryBytes;
    }

    /** How many operations of an endpoint of that size may be under way, or unread, where queues overflow. */
    public static long counted(long size) {
        return Long.compareUnsigned(size, MOST_COUNTED) > 0 ? MOST_COUNTED : Math.max(1, size);
    }

    /** The bytes of several pieces together. */
    public static long sum(String operation, String what, long total, long more) {
        if (more > Long.MAX_VALUE - total) {
            throw new IllegalArgumentException(operation + ": the " + what + " have more than " + Long.MAX_VALUE
                    + " bytes together; take fewer, or shorter ones");
        }
        return total + more;
    }

    /** A number of addresses of a vector, or of endpoints of a node. */
    public static void addresses(String operation, String what, long asked) {
        if (asked < 0 || asked > MOST_ADDRESSES) {
            throw new IllegalArgumentException(operation + ": " + what + " " + Long.toUnsignedString(asked)
                    + " is more than " + MOST_ADDRESSES + ", the most that jfabric opens an address vector with; take "
                    + "0 for the provider's default: vectors grow");
        }
    }
}
