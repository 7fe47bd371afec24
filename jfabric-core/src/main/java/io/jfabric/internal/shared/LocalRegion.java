// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.Domain;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fid_mr;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.ops.MrOps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A registration that jfabric makes for itself, for the local use of a buffer. Operations on the same memory share one:
 * a provider's cache may give the second registration the key of the first, which the provider on top then refuses
 * ({@code FI_ENOKEY}).
 */
public final class LocalRegion {
    private static final long MESSAGES = Libfabric.FI_SEND() | Libfabric.FI_RECV();
    private static final long ALL = MESSAGES | Libfabric.FI_READ() | Libfabric.FI_WRITE();

    private static final Log LOG = Log.of(Domain.class);

    /**
     * The registrations of a domain, which cannot be closed before they are. Nobody else knows of those that the
     * provider refused to end: the domain asks once more. Its monitor guards everything.
     */
    public static final class InUse {
        /** Whether the provider frees what it refuses to end. */
        private final boolean freesRefused;
        /** Whether a registration serves only buffers at its start. */
        private final boolean fromStart;
        private final Set<LocalRegion> open = new HashSet<>();
        /** Those that are shared, by address; of several with one address the first. */
        private final NavigableMap<Long, LocalRegion> regions = new TreeMap<>();
        private volatile long access = ALL;
        private volatile boolean hasLost;
        private boolean told;

        InUse(boolean freesRefused, boolean fromStart) {
            this.freesRefused = freesRefused;
            this.fromStart = fromStart;
        }

        /** Whether the provider counts some that nobody can close any more. */
        public boolean hasLost() {
            return hasLost;
        }

        /**
         * Closes those that are left when nothing else is open in the domain: those that the provider refused to close,
         * and those of threads that registered memory for an operation but were kept out before they could start it, or
         * that have not let go of it yet.
         *
         * @return negative if the provider has refused one: it stays
         */
        public long closeAll() {
            long failure = 0;
            List<Runnable> closed = new ArrayList<>();
            synchronized (this) {
                for (LocalRegion region : List.copyOf(open)) {
                    long result = end(region);
                    if (open.contains(region)) {
                        failure = result;
                    } else if (result == 0) {
                        closed.add(region.whenClosed);
                    }
                }
            }
            closed.forEach(Runnable::run);
            return failure;
        }

        /** {@code fi_close}. It stays open if the provider can be asked again. */
        private long end(LocalRegion region) {
            long result = FidOps.close(region.mr);
            region.lost = result != 0 && freesRefused;
            hasLost |= region.lost;
            if (result == 0 || region.lost) {
                open.remove(region);
                regions.remove(region.start, region);
            }
            return result;
        }

        private void tell(long result) {
            if (!told) {
                told = true;
                LOG.warn("memory that jfabric has registered stays registered until the {} ends; this is said once for "
                        + "a domain", freesRefused ? "process" : "domain", FabricException.of(
                                "fi_close(memory region)", result, "one that jfabric has made for itself"));
            }
        }
    }

    private final InUse inUse;
    private final long mr;
    private final long start;
    private final long end;
    private final long descriptor;
    private int users = 1;
    private boolean lost;
    /** Runs when the provider closes it, if it refused to at first. */
    private Runnable whenClosed = () -> { };

    private LocalRegion(InUse inUse, long mr, long start, long end) {
        this.inUse = inUse;
        this.mr = mr;
        this.start = start;
        this.end = end;
        // once: a later caller might ask when the domain has closed it
        this.descriptor = Memory.getLong(mr + fid_mr.mem_desc$offset());
    }

    /** Every caller must close it. */
    public static LocalRegion of(DomainState domain, long address, long length) {
        // inside first: a thread that waits for a closer must not keep it from the regions
        return domain.object().call(d -> of(domain, d, address, length));
    }

    /** For threads inside something of the domain's family: a closer that waits for them would keep them out here. */
    public static LocalRegion fromInside(DomainState domain, long address, long length) {
        return of(domain, domain.object().entry().object(), address, length);
    }

    private static LocalRegion of(DomainState domain, long handle, long address, long length) {
        InUse inUse = domain.ownRegions();
        synchronized (inUse) {
            Map.Entry<Long, LocalRegion> below = inUse.regions.floorEntry(address);
            if (below != null && below.getValue().end >= address + length
                    && (!inUse.fromStart || below.getKey() == address)) {
                below.getValue().users++;
                return below.getValue();
            }
            LocalRegion region = alone(domain, handle, address, length);
            inUse.regions.putIfAbsent(address, region);
            return region;
        }
    }

    /** For memory that only its owner registers, and whose descriptor is known: nobody else gets this registration. */
    public static LocalRegion alone(DomainState domain, long address, long length) {
        return domain.object().call(d -> alone(domain, d, address, length));
    }

    private static LocalRegion alone(DomainState domain, long handle, long address, long length) {
        InUse inUse = domain.ownRegions();
        // what others find out meanwhile must not make this one fail
        long access = inUse.access;
        long mr;
        try {
            mr = register(domain, handle, address, length, access);
        } catch (FabricException e) {
            if (e.error() != FabricError.EOPNOTSUPP || access == MESSAGES) {
                throw e;
            }
            // as for datagrams on devices without remote memory access
            mr = register(domain, handle, address, length, MESSAGES);
            inUse.access = MESSAGES;
        }
        LocalRegion region = new LocalRegion(inUse, mr, address, address + length);
        // still inside: a closer finds it
        synchronized (inUse) {
            inUse.open.add(region);
        }
        return region;
    }

    private static long register(DomainState domain, long handle, long address, long length, long access) {
        return domain.keyed(OptionalLong.empty(), key -> Opening.open(handle, "fi_mr_reg", (d, result) ->
                MrOps.reg(d, address, length, access, 0, key, 0, result, 0), "provider " + domain.info().provider()));
    }

    /** Whether this has that descriptor, and covers that memory. */
    public boolean is(long descriptor, long address, long length) {
        return this.descriptor == descriptor && address >= start && address + length <= end;
    }

    public long descriptor() {
        return descriptor;
    }

    /** If the provider refuses, the domain tries again when it is closed. */
    public void close() {
        synchronized (inUse) {
            if (--users == 0) {
                inUse.regions.remove(start, this);
                closeAlone(() -> { });
            }
        }
    }

    /**
     * As {@link #close}, of one that was made by {@link #alone}.
     *
     * @param closed runs when the provider does not know the memory any more: maybe never
     */
    public void closeAlone(Runnable closed) {
        long result = 0;
        synchronized (inUse) {
            if (inUse.open.contains(this)) {
                whenClosed = closed;
                result = inUse.end(this);
            }
            if (result != 0) {
                inUse.tell(result);
            }
            if (result != 0 || lost) {
                return;
            }
        }
        closed.run();
    }
}
