// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Which addresses an address vector has handed out, as far as sets of them need to know it. */
final class KnownAddresses {
    private long end;
    private long removed;
    private long frozen = -1;

    /** Takes note of what an insertion returned; entries that failed are {@link Address#NOT_AVAILABLE}. */
    synchronized void add(MemorySegment results, long count) {
        for (long i = 0; i < count; i++) {
            long address = results.get(JAVA_LONG_UNALIGNED, i * JAVA_LONG_UNALIGNED.byteSize());
            if (address != Address.NOT_AVAILABLE && address >= end) {
                end = address + 1;
            }
        }
    }

    /** Takes note of addresses that count up. */
    synchronized void addNext(long count) {
        end += count;
    }

    synchronized void remove(long count) {
        removed += count;
    }

    synchronized long end() {
        return end;
    }

    /** At most what a provider copies with the first set. */
    synchronized long freeze() {
        if (frozen < 0) {
            frozen = Math.max(0, end - removed);
        }
        return frozen;
    }
}
