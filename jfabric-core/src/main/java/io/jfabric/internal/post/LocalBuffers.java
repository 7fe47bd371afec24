// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.IoVector;
import io.jfabric.internal.endpoint.MessageCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Gives providers what they demand of message buffers, so that user code need not: descriptors of registered memory
 * (FI_MR_LOCAL) and space in front of the message (FI_MSG_PREFIX).
 *
 * <p>Memory the user registered is used as it is, and then nothing is allocated. Any other is registered for the length
 * of the operation, which is correct but slow; where only device memory needs descriptors (FI_MR_HMEM), it is taken for
 * main memory. The prefix is a buffer of its own, first in an I/O vector.
 */
public final class LocalBuffers {
    private static final LocalRegion[] NONE = {};
    private static final ThreadLocal<MemorySegment> SCRATCH = ThreadLocal.withInitial(() -> MemorySegment.NULL);

    private final DomainState domain;
    private final long sendPrefix;
    private final long receivePrefix;
    private final boolean register;
    private final boolean describe;
    private final Arena arena = Arena.ofAuto();
    private final Deque<Extra> prefixes = new ArrayDeque<>();

    public LocalBuffers(DomainState domain, long sendPrefix, long receivePrefix, boolean register, boolean describe) {
        this.domain = domain;
        this.sendPrefix = sendPrefix;
        this.receivePrefix = receivePrefix;
        this.register = register;
        this.describe = describe;
    }

    /** What one operation uses beyond the user's memory. One with a prefix is used over and over. */
    private final class Extra implements Kept {
        private final MemorySegment prefix;
        private final LocalRegion prefixRegion;
        private Object buffers;
        private LocalRegion[] regions = NONE;

        Extra(long prefixSize) {
            prefix = prefixSize == 0 ? MemorySegment.NULL : arena.allocate(prefixSize, 8);
            prefixRegion = prefixSize > 0 && register ? LocalRegion.of(domain, prefix.address(), prefixSize) : null;
        }

        /** Registers a part of the user's memory; returns its descriptor. */
        long register(long address, long length) {
            LocalRegion region = LocalRegion.of(domain, address, length);
            regions = Arrays.copyOf(regions, regions.length + 1);
            regions[regions.length - 1] = region;
            return region.descriptor();
        }

        @Override
        public void release() {
            for (LocalRegion region : regions) {
                region.close();
            }
            regions = NONE;
            buffers = null;
            if (prefix() > 0) {
                givePrefix(this);
            }
        }

        @Override
        public Object buffers() {
            return buffers;
        }

        @Override
        public long prefix() {
            return prefix.byteSize();
        }

        @Override
        public String toString() {
            return "resources for " + buffers;
        }
    }

    /** Adds what the provider needs to the call; returns what must be kept until the operation has completed. */
    public Object prepare(MessageCall call, MemorySegment buffer, long offset, long length, boolean sends) {
        Extra extra = add(call, addPrefix(call, sends ? sendPrefix : receivePrefix), buffer.address() + offset, length);
        return kept(extra, buffer);
    }

    /** As above, for several buffers. */
    public Object prepare(MessageCall call, IoVector buffers, boolean sends) {
        Extra extra = addPrefix(call, sends ? sendPrefix : receivePrefix);
        for (int i = 0; i < buffers.count(); i++) {
            MemorySegment segment = buffers.segments().get(i);
            extra = add(call, extra, segment.address(), segment.byteSize());
        }
        return kept(extra, buffers);
    }

    private static Object kept(Extra extra, Object buffers) {
        if (extra == null) {
            return buffers;
        }
        extra.buffers = buffers;
        return extra;
    }

    private Extra addPrefix(MessageCall call, long size) {
        if (size == 0) {
            return null;
        }
        Extra extra = takePrefix(size);
        call.add(extra.prefix.address(), size, extra.prefixRegion == null ? 0 : extra.prefixRegion.descriptor());
        return extra;
    }

    private Extra add(MessageCall call, Extra extra, long address, long length) {
        long known = describe ? domain.localRegions().descriptor(address, length) : 0;
        if (known != LocalRegions.NONE) {
            call.add(address, length, known);
            return extra;
        }
        if (!register || length == 0) {
            call.add(address, length, 0);
            return extra;
        }
        Extra needed = extra == null ? new Extra(0) : extra;
        try {
            call.add(address, length, needed.register(address, length));
        } catch (FabricException e) {
            // the operation will not start, so no completion gives back what was taken for it so far
            needed.release();
            throw e;
        }
        return needed;
    }

    /** Bytes that a message to be injected has in front. */
    public long injectPrefix() {
        return sendPrefix;
    }

    /** Address of a copy of the buffer behind room for the prefix: inject takes one piece of memory. */
    public long prefixed(MemorySegment buffer, long offset, long length) {
        if (sendPrefix == 0) {
            return buffer.address() + offset;
        }
        MemorySegment scratch = SCRATCH.get();
        if (scratch.byteSize() < sendPrefix + length) {
            scratch = Arena.ofAuto().allocate(sendPrefix + length, 8);
            SCRATCH.set(scratch);
        }
        MemorySegment.copy(buffer, offset, scratch, sendPrefix, length);
        return scratch.address();
    }

    private synchronized Extra takePrefix(long prefixSize) {
        Extra free = prefixes.pollFirst();
        return free != null ? free : new Extra(prefixSize);
    }

    private synchronized void givePrefix(Extra extra) {
        prefixes.addFirst(extra);
    }

    /** The endpoint is closed. */
    public synchronized void close() {
        for (Extra extra : prefixes) {
            if (extra.prefixRegion != null) {
                extra.prefixRegion.close();
            }
        }
        prefixes.clear();
    }
}
