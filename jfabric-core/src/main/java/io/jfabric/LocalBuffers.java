// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Gives providers what they demand of message buffers, so that user code need not: descriptors of registered memory
 * (FI_MR_LOCAL) and space in front of the message (FI_MSG_PREFIX).
 *
 * <p>Memory the user registered is used as it is. Any other is registered for the length of the operation, which is
 * correct but slow; where only device memory needs descriptors (FI_MR_HMEM), it is taken for main memory.
 * The prefix is a buffer of its own, first in an I/O vector.
 */
final class LocalBuffers {
    private final Domain domain;
    private final long sendPrefix;
    private final long receivePrefix;
    private final boolean register;
    private final boolean describe;
    private final Arena arena = Arena.ofAuto();
    private final Deque<Prefix> prefixes = new ArrayDeque<>();

    LocalBuffers(Domain domain, long sendPrefix, long receivePrefix, boolean register, boolean describe) {
        this.domain = domain;
        this.sendPrefix = sendPrefix;
        this.receivePrefix = receivePrefix;
        this.register = register;
        this.describe = describe;
    }

    private record Prefix(MemorySegment memory, LocalRegion region) {
    }

    /** What one operation uses beyond the user's memory. */
    private final class Resources implements Kept {
        private final Object buffers;
        private final long prefixSize;
        private Prefix prefix;
        private LocalRegion[] regions = new LocalRegion[0];

        Resources(Object buffers, boolean sends) {
            this.buffers = buffers;
            this.prefixSize = sends ? sendPrefix : receivePrefix;
        }

        void add(MessageCall call, MemorySegment buffer, long offset, long length) {
            long address = buffer.address() + offset;
            if (!describe) {
                call.add(address, length, 0);
                return;
            }
            long known = domain.localRegions().descriptor(address, length);
            if (known != LocalRegions.NONE) {
                call.add(address, length, known);
                return;
            }
            if (!register || length == 0) {
                call.add(address, length, 0);
                return;
            }
            LocalRegion region = LocalRegion.of(domain, address, length);
            regions = Arrays.copyOf(regions, regions.length + 1);
            regions[regions.length - 1] = region;
            call.add(address, length, region.descriptor());
        }

        void addPrefix(MessageCall call) {
            if (prefixSize > 0) {
                prefix = takePrefix(prefixSize);
                call.add(prefix.memory.address(), prefixSize, prefix.region == null ? 0 : prefix.region.descriptor());
            }
        }

        @Override
        public void release() {
            for (LocalRegion region : regions) {
                region.close();
            }
            if (prefix != null) {
                givePrefix(prefix);
            }
        }

        @Override
        public long prefix() {
            return prefixSize;
        }

        @Override
        public String toString() {
            return "resources for " + buffers;
        }
    }

    Kept prepare(MessageCall call, MemorySegment buffer, long offset, long length, boolean sends) {
        Resources resources = new Resources(buffer, sends);
        resources.addPrefix(call);
        resources.add(call, buffer, offset, length);
        return resources;
    }

    Kept prepare(MessageCall call, IoVector buffers, boolean sends) {
        Resources resources = new Resources(buffers, sends);
        resources.addPrefix(call);
        for (MemorySegment segment : buffers.segments()) {
            resources.add(call, segment, 0, segment.byteSize());
        }
        return resources;
    }

    /** Takes address and length of what to inject. */
    @FunctionalInterface
    interface Injector {
        boolean inject(long address, long length);
    }

    /** Injects a copy of the buffer with its prefix: inject takes one piece of memory. */
    boolean prefixed(MemorySegment buffer, long offset, long length, Injector injector) {
        if (sendPrefix == 0) {
            return injector.inject(buffer.address() + offset, length);
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment copy = scratch.allocate(sendPrefix + length, 8);
            MemorySegment.copy(buffer, offset, copy, sendPrefix, length);
            return injector.inject(copy.address(), copy.byteSize());
        }
    }

    private synchronized Prefix takePrefix(long prefixSize) {
        Prefix free = prefixes.pollFirst();
        if (free != null) {
            return free;
        }
        MemorySegment memory = arena.allocate(prefixSize, 8);
        return new Prefix(memory, register ? LocalRegion.of(domain, memory.address(), prefixSize) : null);
    }

    private synchronized void givePrefix(Prefix prefix) {
        prefixes.addFirst(prefix);
    }

    /** The endpoint is closed. */
    synchronized void close() {
        for (Prefix prefix : prefixes) {
            if (prefix.region != null) {
                prefix.region.close();
            }
        }
        prefixes.clear();
    }
}
