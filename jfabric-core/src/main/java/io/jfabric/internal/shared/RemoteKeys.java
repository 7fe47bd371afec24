// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.RemoteRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_mr_map_raw;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The raw keys of peers that a domain has mapped. Looking up a mapped key allocates nothing. */
public final class RemoteKeys {
    /** Stands for no key. */
    public static final long NO_KEY = Libfabric.FI_KEY_NOTAVAIL();

    private final DomainState domain;
    private final ConcurrentHashMap<RemoteRegion.Raw, Long> mapped = new ConcurrentHashMap<>();

    public RemoteKeys(DomainState domain) {
        this.domain = domain;
    }

    /** The key that operations use; maps a raw one at first. */
    public long key(RemoteRegion region) {
        long key = region.key();
        return key == NO_KEY ? rawKey(region) : key;
    }

    private long rawKey(RemoteRegion region) {
        Optional<RemoteRegion.Raw> raw = region.rawKey();
        return raw.isPresent() ? mapped(raw.get()) : NO_KEY;
    }

    private long mapped(RemoteRegion.Raw raw) {
        Long key = mapped.get(raw);
        // inside first: a thread that waits for a closer must not hold a lock of the map
        return key != null ? key : domain.object().call(d -> mapped.computeIfAbsent(raw, r -> map(d, r)));
    }

    private long map(long d, RemoteRegion.Raw raw) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment map = Structs.allocate(arena, fi_mr_map_raw.layout());
            fi_mr_map_raw.base_addr(map, raw.base());
            fi_mr_map_raw.raw_key(map, arena.allocateFrom(ValueLayout.JAVA_BYTE, raw.bytes()));
            fi_mr_map_raw.key_size(map, raw.bytes().length);
            fi_mr_map_raw.key(map, key);
            Results.check("fi_mr_map_raw",
                    FidOps.control(d, Libfabric.FI_MAP_RAW_MR(), map.address()),
                    "the region comes from a provider whose keys must be mapped; is " + domain.info().provider()
                            + " the same provider?");
            return key.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    public void unmap(RemoteRegion.Raw raw) {
        domain.object().call(d -> mapped.computeIfPresent(raw, (r, key) -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, key);
                Results.check("fi_mr_unmap_key",
                        FidOps.control(d, Libfabric.FI_UNMAP_KEY(), pointer.address()), null);
            }
            return null;
        }));
    }

    /** Unmaps all: a domain with mapped keys cannot be closed. */
    public void close() {
        List.copyOf(mapped.keySet()).forEach(this::unmap);
    }
}
