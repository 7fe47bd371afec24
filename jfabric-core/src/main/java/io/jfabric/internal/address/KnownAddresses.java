// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jfabric.info.Address;
import java.lang.foreign.MemorySegment;
import java.util.TreeSet;

/**
 * Which addresses an address vector has handed out. Providers that count them up, nearly all, read beyond their tables
 * when they are given another.
 */
public final class KnownAddresses {
    private long end;
    /** Of those below the end. */
    private final TreeSet<Long> removed = new TreeSet<>();
    /** Other processes insert too, or addresses are pointers: only the provider knows. */
    private boolean untracked;
    private long frozen = -1;

    public synchronized void untrack() {
        untracked = true;
    }

    /** Takes note of what an insertion returned; entries that failed are {@link Address#NOT_AVAILABLE}. */
    public synchronized void add(MemorySegment results, long count) {
        for (long i = 0; i < count; i++) {
            long address = results.get(JAVA_LONG_UNALIGNED, i * JAVA_LONG_UNALIGNED.byteSize());
            if (address == Address.NOT_AVAILABLE) {
                continue;
            }
            if (address < 0 || address > Integer.MAX_VALUE) {
                untracked = true;
            } else if (address < end) {
                removed.remove(address);
            } else {
                for (long skipped = end; skipped < address; skipped++) {
                    removed.add(skipped);
                }
                end = address + 1;
            }
        }
    }

    /** Takes note of addresses that count up. */
    public synchronized void addNext(long count) {
        // the provider may have filled gaps
        untracked |= !removed.isEmpty();
        end += count;
    }

    public synchronized void remove(long... addresses) {
        for (long address : addresses) {
            removed.add(address);
        }
    }

    public synchronized boolean has(long address) {
        return untracked || address >= 0 && address < end && !removed.contains(address);
    }

    /** All below this are in the vector; unsigned. */
    public synchronized long limit() {
        return untracked ? -1 : removed.isEmpty() ? end : removed.first();
    }

    /** One more than the largest address. */
    public synchronized long end() {
        return end;
    }

    /** At most what a provider copies with the first set. */
    public synchronized long freeze() {
        if (frozen < 0) {
            frozen = Math.max(0, end - removed.size());
        }
        return frozen;
    }
}
