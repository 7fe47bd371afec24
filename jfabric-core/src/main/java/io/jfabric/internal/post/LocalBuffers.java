// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.LocalRegion;
import io.jfabric.internal.shared.LocalRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Gives providers what they demand of local buffers, so that programs need not: descriptors of registered memory
 * (FI_MR_LOCAL) and space in front of messages (FI_MSG_PREFIX).
 *
 * <p>Memory that the program has registered is used as it is, and then nothing is allocated. Other memory is registered
 * for the length of the operation, which is correct but slow; where only device memory needs descriptors (FI_MR_HMEM),
 * it is taken for main memory. The prefix is a buffer of its own, first in the table.
 */
public final class LocalBuffers {
    private static final LocalRegion[] NONE = {};
    private static final ThreadLocal<MemorySegment> SCRATCH = ThreadLocal.withInitial(() -> MemorySegment.NULL);

    /** Weak: operations keep this, and are kept even if the domain was forgotten. Then the endpoint posts no more. */
    private final WeakReference<DomainState> domain;
    private final LocalRegions known;
    private final long sendPrefix;
    private final long receivePrefix;
    private final boolean register;
    private final boolean describe;
    private final Arena arena = Arena.ofAuto();
    private final Deque<Extra> prefixes = new ArrayDeque<>();
    /** Stands for buffers of no bytes, as providers follow their descriptors, too; null if none is needed. */
    private final LocalRegion empty;
    /** Null without a prefix. */
    private final Seen seen;
    private boolean closed;

    /** To be called while an endpoint of the domain is being opened. */
    public LocalBuffers(DomainState domain, long sendPrefix, long receivePrefix, boolean register, boolean describe) {
        this.domain = new WeakReference<>(domain);
        this.known = domain.localRegions();
        this.sendPrefix = sendPrefix;
        this.receivePrefix = receivePrefix;
        this.seen = receivePrefix == 0 ? null : new Seen(receivePrefix);
        this.register = register;
        this.describe = describe;
        this.empty = !register ? null
                : LocalRegion.fromInside(domain, OverflowTail.BYTE.address(), OverflowTail.BYTE.byteSize());
    }

    /** The descriptor of a buffer of no bytes; 0 if it needs none. */
    long descriptorOfEmpty() {
        return empty == null ? 0 : empty.descriptor();
    }

    /** What one operation uses beyond the user's memory. Those with a prefix are reused. */
    public final class Extra implements Kept {
        private final MemorySegment prefix;
        private final LocalRegion prefixRegion;
        private Object buffers;
        private LocalRegion[] regions = NONE;

        private Extra(long prefixSize) {
            prefix = prefixSize == 0 ? MemorySegment.NULL : arena.allocate(prefixSize, 8);
            prefixRegion = prefixSize > 0 && register
                    ? LocalRegion.of(domain.get(), prefix.address(), prefixSize) : null;
        }

        /** Registers a part of the user's memory; returns its descriptor. */
        private long register(long address, long length) {
            LocalRegion region = LocalRegion.of(domain.get(), address, length);
            regions = Arrays.copyOf(regions, regions.length + 1);
            regions[regions.length - 1] = region;
            return region.descriptor();
        }

        /**
         * Whether a descriptor belongs to a registration made for this operation, which stays until {@link #release}.
         * The descriptor is not enough: that of a region that is gone may be another's now.
         */
        private boolean has(long descriptor, long address, long length) {
            return prefixRegion != null && prefixRegion.is(descriptor, address, length)
                    || Arrays.stream(regions).anyMatch(region -> region.is(descriptor, address, length));
        }

        /** Keeps the user's memory reachable, too. */
        private Extra keeping(Object userBuffers) {
            buffers = userBuffers;
            return this;
        }

        private void closePrefix() {
            if (prefixRegion != null) {
                prefixRegion.close();
            }
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

    /** For a look at a message, which takes nothing: the provider tells the length with the prefix. */
    private record Seen(long prefix) implements Kept {
        @Override
        public void release() {
        }

        @Override
        public Object buffers() {
            return null;
        }
    }

    /** What a look at a message keeps; null if it needs nothing. */
    public Object seen() {
        return seen;
    }

    /** Whether messages of that direction start with a buffer for the provider. */
    public boolean hasPrefix(boolean sends) {
        return prefixSize(sends) > 0;
    }

    private long prefixSize(boolean sends) {
        return sends ? sendPrefix : receivePrefix;
    }

    /** Clears the table, except for the place of the prefix. */
    public void start(BufferTable table, boolean sends) {
        table.clear();
        if (hasPrefix(sends)) {
            table.add(0, prefixSize(sends));
        }
    }

    /**
     * Fills in what a message needs. Returns what must be kept until the operation has completed: only the buffers, if
     * nothing had to be added.
     */
    public Object prepare(BufferTable table, boolean sends, Object buffers) {
        Extra extra = null;
        int first = 0;
        if (hasPrefix(sends)) {
            extra = takePrefix(prefixSize(sends));
            table.replace(0, extra.prefix.address(),
                    extra.prefixRegion == null ? 0 : extra.prefixRegion.descriptor());
            first = 1;
        }
        return kept(describe(extra, table, first, 0, !sends), buffers);
    }

    /** As above, for an operation without a prefix whose lengths are in bytes; {@code filled} if it writes to any. */
    public Object describe(BufferTable table, Object buffers, boolean filled) {
        return kept(describe(null, table, 0, 0, filled), buffers);
    }

    /** What must be kept: the buffers, with what had to be added. */
    public static Object kept(Extra extra, Object buffers) {
        return extra == null ? buffers : extra.keeping(buffers);
    }

    /**
     * Fills in the descriptors of buffers whose lengths are in elements of {@code 1 << shift} bytes. Adds what had to
     * be registered to what the operation has already, if anything; releases all of it if that fails.
     *
     * @param filled whether the operation writes to the buffers
     */
    public Extra describe(Extra extra, BufferTable table, int first, int shift, boolean filled) {
        if (!describe) {
            return extra;
        }
        Extra needed = extra;
        table.describedAfter(known.removals(), filled);
        for (int i = first; i < table.count(); i++) {
            long address = table.address(i);
            long length = table.length(i) << shift;
            long descriptor = known.descriptor(address, length, filled);
            if (descriptor == LocalRegions.NONE && (!register || length == 0)) {
                descriptor = descriptorOfEmpty();
            } else if (descriptor == LocalRegions.NONE) {
                if (needed == null) {
                    needed = new Extra(0);
                }
                descriptor = register(needed, address, length);
            }
            table.describe(i, descriptor);
        }
        return needed;
    }

    /**
     * Whether a descriptor belongs to a region that was closed since it was looked up. To be asked inside, where none
     * can be closed any more; if so, all must be looked up again outside, as that may register memory.
     *
     * @param prepared what {@link #prepare} or {@link #describe} returned
     */
    public boolean isStale(BufferTable table, Object prepared) {
        return isStale(table, prepared, 0);
    }

    /** As above, for buffers whose lengths are in elements of {@code 1 << shift} bytes. */
    public boolean isStale(BufferTable table, Object prepared, int shift) {
        return describe && table.describedAfter() != known.removals() && isChanged(table, prepared, shift);
    }

    /** Regions have gone, most often others: starting over for each might never end while regions come and go. */
    private boolean isChanged(BufferTable table, Object prepared, int shift) {
        int gone = known.removals();
        for (int i = 0; i < table.count(); i++) {
            long descriptor = table.descriptor(i);
            long address = table.address(i);
            long length = table.length(i) << shift;
            boolean own = descriptor == 0 || descriptor == descriptorOfEmpty()
                    || prepared instanceof Extra extra && extra.has(descriptor, address, length);
            if (!own && known.descriptor(address, length, table.isFilled()) != descriptor) {
                return true;
            }
        }
        table.describedAfter(gone, table.isFilled());
        return false;
    }

    /**
     * Releases what was prepared, and runs {@code leave}, as it has to be prepared again. Returns the user's buffers,
     * after a check: the region may have gone together with their arena, and freed memory must not be registered.
     */
    public static Object startOver(Object prepared, Runnable leave) {
        Object userBuffers = prepared;
        if (prepared instanceof Kept resources) {
            userBuffers = resources.buffers();
            resources.release();
        }
        leave.run();
        KeptMemory.checkAlive(userBuffers);
        return userBuffers;
    }

    /** The token. If it is 0, releases what was prepared, and throws: only a completion could tell when to do so. */
    public static long reported(String operation, long token, Object prepared) {
        if (token == 0 && prepared instanceof Kept resources) {
            resources.release();
            throw new IllegalStateException(operation + ": the provider wants registered buffers or a prefix, but no "
                    + "completion queue reports this operation, so jfabric cannot tell when to release them; register "
                    + "the buffers with Domain.register, or ask for completions");
        }
        return token;
    }

    private static long register(Extra extra, long address, long length) {
        try {
            return extra.register(address, length);
        } catch (FabricException e) {
            // the operation will not start, so no completion gives back what was taken for it so far
            extra.release();
            throw e;
        }
    }

    /** As {@link #describe}, for an operation that starts later: nothing is registered for it. */
    public void describeRegistered(String operation, BufferTable table, int shift, boolean filled) {
        if (describe) {
            for (int i = 0; i < table.count(); i++) {
                table.describe(i, registered(operation, table.address(i), table.length(i) << shift, filled));
            }
        }
    }

    /** The descriptor of memory that is not to be registered here: the program has done so, or need not. */
    public long registered(String operation, long address, long length, boolean filled) {
        if (!describe) {
            return 0;
        }
        long descriptor = known.descriptor(address, length, filled);
        if (descriptor != LocalRegions.NONE) {
            return descriptor;
        }
        if (register && length > 0) {
            throw new IllegalArgumentException(operation + ": the provider wants registered memory (FI_MR_LOCAL): "
                    + "register the buffer with the domain first"
                    + (filled ? ", with RECV or READ among its rights" : ""));
        }
        return descriptorOfEmpty();
    }

    /** How many bytes precede a message to be injected. */
    public long injectPrefix() {
        return sendPrefix;
    }

    /** The address of a copy of the buffer, with room for the prefix before it: inject takes one piece of memory. */
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

    private Extra takePrefix(long prefixSize) {
        Extra free;
        synchronized (this) {
            free = prefixes.pollFirst();
        }
        // not under the lock: registering may wait for a closer, which gives prefixes back
        return free != null ? free : new Extra(prefixSize);
    }

    private synchronized void givePrefix(Extra extra) {
        if (closed) {
            // of an alias whose operations went on
            extra.closePrefix();
        } else {
            prefixes.addFirst(extra);
        }
    }

    /** The endpoint is closed. */
    public synchronized void close() {
        closed = true;
        prefixes.forEach(Extra::closePrefix);
        prefixes.clear();
        if (empty != null) {
            empty.close();
        }
    }
}
