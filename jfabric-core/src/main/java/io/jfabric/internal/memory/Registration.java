// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.bindings.fi_mr_attr;
import io.jfabric.bindings.fi_mr_dmabuf;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.MrOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.RemoteKeys;
import io.jfabric.internal.watch.Watch;
import io.jfabric.option.HmemInterface;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/** The three calls that register memory. */
public final class Registration {
    private static final Version DMABUF = new Version(1, 20);
    private static final Version PAGE_SIZE = new Version(1, 22);
    private static final long REMOTE = Flags.of(MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).bits();
    private static final Version SUB_REGIONS = new Version(2, 0);

    private Registration() {
    }

    /** {@code fi_mr_reg} */
    public static MemoryRegionImpl of(DomainState domain, MemorySegment memory, long access, OptionalLong asked) {
        long address = Buffers.address("fi_mr_reg", Arguments.given(memory, "fi_mr_reg", "the memory"));
        Registrable.check("fi_mr_reg", List.of(memory), access);
        checkKey(domain, "fi_mr_reg", asked);
        return domain.keyed(asked, key -> holding(domain, List.of(memory), access, hold ->
                domain.open("fi_mr_reg", (d, result) ->
                        MrOps.reg(d, address, memory.byteSize(), access, 0, key, 0, result, 0),
                        mr -> new MemoryRegionImpl(domain, domain.object(), mr, List.of(memory), null, access, false,
                                hold))));
    }

    /** {@code fi_mr_reg}, bound to an endpoint and enabled where the provider asks for it. */
    public static MemoryRegionImpl of(DomainState domain, Endpoint endpoint, MemorySegment memory, long access) {
        // as a whole with one key: some take it only when the region is enabled
        return domain.keyed(OptionalLong.empty(), key -> {
            MemoryRegionImpl region = of(domain, memory, access, OptionalLong.of(key));
            try {
                return region.bind(endpoint).enable();
            } catch (RuntimeException | Error e) {
                region.close();
                throw e;
            }
        });
    }

    /** {@code fi_mr_regv} */
    public static MemoryRegionImpl of(DomainState domain, List<MemorySegment> memory, long access) {
        List<MemorySegment> buffers = Arguments.all("fi_mr_regv", "a buffer",
                Arguments.given(memory, "fi_mr_regv", "the list").toArray(MemorySegment[]::new));
        Registrable.check("fi_mr_regv", buffers, access);
        checkCount(domain, "fi_mr_regv", buffers.size());
        return together(domain, domain.object(), buffers, access, OptionalLong.empty(),
                (parent, some, its) -> vector(domain, parent, some, access, its));
    }

    private static MemoryRegionImpl vector(DomainState domain, FidObject parent, List<MemorySegment> buffers,
            long access, long key) {
        try (Arena arena = Arena.ofConfined()) {
            long iov = iov("fi_mr_regv", arena, buffers).address();
            return holding(domain, buffers, access, hold -> domain.open("fi_mr_regv", (d, result) ->
                    MrOps.regv(d, iov, buffers.size(), access, 0, key, 0, result, 0),
                    mr -> new MemoryRegionImpl(domain, parent, mr, buffers, null, access, false, hold)));
        }
    }

    /** Registers buffers below a parent, with a key. */
    private interface Registrar {
        MemoryRegionImpl register(FidObject parent, List<MemorySegment> buffers, long key);
    }

    /** Registers buffers together, or where peers would find only the first, each other one below that. */
    private static MemoryRegionImpl together(DomainState domain, FidObject parent, List<MemorySegment> buffers,
            long access, OptionalLong asked, Registrar registrar) {
        if (buffers.size() < 2 || (access & REMOTE) == 0
                || !domain.quirks().has(Quirk.FIRST_BUFFER_ALONE)) {
            return domain.keyed(asked, key -> registrar.register(parent, buffers, key));
        }
        MemoryRegionImpl first = domain.keyed(asked, key -> registrar.register(parent, buffers.subList(0, 1), key));
        try {
            first.registerOthers(buffers.subList(1, buffers.size()), other -> domain.keyed(OptionalLong.empty(),
                    key -> registrar.register(first, List.of(other), key)));
            return first;
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
    }

    /** {@code fi_mr_regattr} */
    public static MemoryRegionImpl of(DomainState domain, MemoryRegionImpl base, MemoryRegionAttributes a) {
        checkVersions(base, a);
        if (a.dmabuf().isPresent()) {
            checkDevice(domain, a);
        } else {
            checkCount(domain, "fi_mr_regattr", a.buffers().size());
            Registrable.check("fi_mr_regattr", a.buffers(), a.access().bits());
        }
        checkKey(domain, "fi_mr_regattr", a.requestedKey());
        return together(domain, base == null ? domain.object() : base, a.buffers(), a.access().bits(),
                a.requestedKey(), (parent, some, its) -> described(domain, parent, base, a, some, its));
    }

    private static MemoryRegionImpl described(DomainState domain, FidObject parent, MemoryRegionImpl base,
            MemoryRegionAttributes a, List<MemorySegment> buffers, long key) {
        try (Arena arena = Arena.ofConfined()) {
            // zero-filled and of the newest size: an older library reads the part it knows
            MemorySegment attr = Structs.allocate(arena, fi_mr_attr.layout());
            if (a.dmabuf().isPresent()) {
                fi_mr_attr.dmabuf(attr, dmabuf(arena, a.dmabuf().orElseThrow()));
                fi_mr_attr.iov_count(attr, 1);
            } else {
                fi_mr_attr.mr_iov(attr, iov("fi_mr_regattr", arena, buffers));
                fi_mr_attr.iov_count(attr, buffers.size());
            }
            fi_mr_attr.access(attr, a.access().bits());
            fi_mr_attr.requested_key(attr, key);
            if (a.authKey().length > 0) {
                fi_mr_attr.auth_key_size(attr, a.authKey().length);
                fi_mr_attr.auth_key(attr, arena.allocateFrom(ValueLayout.JAVA_BYTE, a.authKey()));
            }
            fi_mr_attr.iface(attr, (int) a.hmemInterface().code());
            fi_mr_attr.device.reserved(fi_mr_attr.device(attr), a.device());
            fi_mr_attr.page_size(attr, a.pageSize());
            fi_mr_attr.sub_mr_cnt(attr, a.subRegions());
            long flags = a.flags().bits();
            return holding(domain, buffers, a.access().bits(), hold -> domain.open("fi_mr_regattr", (d, result) -> {
                fi_mr_attr.base_mr(attr, MemorySegment.ofAddress(base == null ? 0 : base.fid()));
                return MrOps.regattr(d, attr.address(), flags, result);
            }, mr -> new MemoryRegionImpl(domain, parent, mr, buffers,
                    a.dmabuf().orElse(null), a.access().bits(), a.hmemInterface() != HmemInterface.SYSTEM, hold),
                    a.hmemInterface() == HmemInterface.SYSTEM ? null
                    : "is libfabric built with " + a.hmemInterface() + " support, and was Capability.HMEM granted?"));
        }
    }

    /** Registers while the arenas of the memory cannot be closed, and keeps them so until the region is closed. */
    private static MemoryRegionImpl holding(DomainState domain, List<MemorySegment> buffers, long access,
            Function<RegionHold, MemoryRegionImpl> register) {
        RegionHold hold = new RegionHold(buffers, (access & REMOTE) != 0 ? domain.lateAccess() : null);
        Object timer = Watch.registering();
        try {
            MemoryRegionImpl region = register.apply(hold);
            hold.of(region);
            if (timer != null) {
                Watch.registered(timer, region.byteSize(), region.key());
            }
            return region;
        } catch (RuntimeException | Error e) {
            hold.release();
            throw e;
        }
    }

    /** Checks a key that the program chooses. */
    private static void checkKey(DomainState domain, String operation, OptionalLong key) {
        if (key.orElse(0) == RemoteKeys.NO_KEY && !domain.requires(MrMode.PROV_KEY)) {
            throw new IllegalArgumentException(operation + ": the key -1 stands for none (FI_KEY_NOTAVAIL), and peers "
                    + "could not use the region; take another");
        }
    }

    private static void checkCount(DomainState domain, String operation, int count) {
        long limit = Math.max(1, domain.info().domain().limits().mrIovLimit());
        if (count < 1 || count > limit) {
            throw new IllegalArgumentException(operation + ": " + count + " buffers; provider "
                    + domain.info().provider() + " registers 1 to " + limit + " together (mrIovLimit)");
        }
    }

    /** Throws unless device memory can be meant: software providers would take its address for one of the process. */
    private static void checkDevice(DomainState domain, MemoryRegionAttributes a) {
        if (!domain.info().capabilities().contains(Capability.HMEM)) {
            throw FabricException.of("fi_mr_regattr", Errno.EOPNOTSUPP, "a DMA-buf needs Capability.HMEM, which "
                    + "the domain was not opened with: ask for it in the hints");
        }
        if (a.hmemInterface() == HmemInterface.SYSTEM) {
            throw new IllegalArgumentException("fi_mr_regattr: a DMA-buf is a device's memory, say of which one: "
                    + "MemoryRegionAttributes.withDevice");
        }
    }

    private static void checkVersions(MemoryRegionImpl base, MemoryRegionAttributes a) {
        Known.require(a.flags(), "fi_mr_regattr flags");
        if (a.dmabuf().isPresent()) {
            require(DMABUF, "dmabuf");
        }
        if (a.pageSize() != 0) {
            require(PAGE_SIZE, "page_size");
        }
        if (base != null) {
            require(SUB_REGIONS, "base_mr");
        }
        if (a.subRegions() != 0) {
            require(SUB_REGIONS, "sub_mr_cnt");
        }
    }

    private static void require(Version since, String field) {
        Known.require("fi_mr_regattr", "fi_mr_attr." + field, since);
    }

    static MemorySegment iov(String operation, Arena arena, List<MemorySegment> memory) {
        MemorySegment iov = arena.allocate(ValueLayout.JAVA_LONG, 2L * memory.size());
        for (int i = 0; i < memory.size(); i++) {
            iov.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, Buffers.address(operation, memory.get(i)));
            iov.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, memory.get(i).byteSize());
        }
        return iov;
    }

    private static MemorySegment dmabuf(Arena arena, MemoryRegionAttributes.Dmabuf d) {
        MemorySegment s = Structs.allocate(arena, fi_mr_dmabuf.layout());
        fi_mr_dmabuf.fd(s, d.fd());
        fi_mr_dmabuf.offset(s, d.offset());
        fi_mr_dmabuf.len(s, d.length());
        fi_mr_dmabuf.base_addr(s, MemorySegment.ofAddress(d.base()));
        return s;
    }
}
