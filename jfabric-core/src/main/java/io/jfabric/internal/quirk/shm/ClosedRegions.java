// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Mapping;
import io.jfabric.internal.quirk.OwnMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The regions of peers that were closed in order, which make the provider leave them mapped. When another process takes
 * such a peer's name and writes first, the provider unmaps the old region, does not map the new one, and goes on to
 * write to what it has unmapped. So a process that closes an endpoint states in its region that it is larger than
 * anything that can be unmapped; and the processes that know it remove the mapping themselves, once the provider has
 * closed the vector and no longer uses it.
 */
final class ClosedRegions {
    private static final Log LOG = Log.of(Endpoint.class);

    /** Where the provider has mapped the regions of a vector's peers, and their files. */
    private final Map<Long, Path> mapped = new ConcurrentHashMap<>();
    private volatile RegionLayout layout;

    /** An endpoint with the vector is about to be closed. Its peers may be closed later, but before the vector. */
    void note(SharedRegion own) {
        layout = own.layout();
        try (OwnMemory memory = OwnMemory.open()) {
            mapped.putAll(PeerSlot.regions(memory, own));
        } catch (IOException | RuntimeException notToBeSeen) {
            LOG.debug("cannot look at the own memory: what closed peers had stays mapped", notToBeSeen);
        }
    }

    /** The provider has closed the vector. */
    void unmap() {
        if (mapped.isEmpty()) {
            return;
        }
        try (OwnMemory memory = OwnMemory.open()) {
            mapped.forEach((region, file) -> {
                MemorySegment header = memory.read(region, RegionLayout.HEADER_BYTES);
                if (header != null && SharedRegion.staysMapped(header, layout)) {
                    unmap(region, file);
                }
            });
        } catch (IOException notToBeSeen) {
            LOG.debug("cannot look at the own memory: what closed peers had stays mapped", notToBeSeen);
        }
        mapped.clear();
    }

    private static void unmap(long region, Path file) {
        try {
            Mapping.of("self", file).stream().filter(found -> found.begin() == region && found.isRemoved())
                    .forEach(found -> LibC.unmap(region, found.end() - region));
        } catch (IOException notToBeSeen) {
            LOG.debug("the region of {} stays mapped", file, notToBeSeen);
        }
    }
}
