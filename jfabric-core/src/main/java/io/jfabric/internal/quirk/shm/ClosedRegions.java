// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Mapping;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of peers that were closed in order, which have the provider leave them mapped. When another process has
 * such a peer's name and writes first, the provider unmaps the region, does not map the new one, and goes on to write
 * to it. So a process that closes an endpoint says in its region that it is larger than anything that can be unmapped;
 * and who knows it takes the mapping away itself, once the provider has closed the vector and uses it no more.
 */
final class ClosedRegions {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    /** Of the peers in a vector: where the provider has them, and their files. */
    private final Map<Long, Path> mapped = new ConcurrentHashMap<>();

    /** An endpoint with the vector is about to be closed. */
    void note(SharedRegion own) {
        try (OwnMemory memory = OwnMemory.open()) {
            mapped.putAll(PeerSlot.staying(memory, own));
        } catch (IOException notToBeSeen) {
            LOG.debug("cannot look at the own memory: what closed peers had stays mapped", notToBeSeen);
        }
    }

    /** The provider has closed the vector. */
    void unmap() {
        mapped.forEach((region, file) -> {
            try {
                Mapping.of("self", file).stream().filter(found -> found.begin() == region && found.isRemoved())
                        .forEach(found -> LibC.unmap(region, found.end() - region));
            } catch (IOException notToBeSeen) {
                LOG.debug("the region of {} stays mapped", file, notToBeSeen);
            }
        });
        mapped.clear();
    }
}
