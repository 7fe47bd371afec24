// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import java.util.ArrayList;
import java.util.List;

/**
 * Registrations that jfabric makes of an operation's buffers, because the provider demands them (FI_MR_LOCAL) and the
 * user has registered none: they last until the operation completes.
 */
public final class TemporaryRegions implements Kept {
    private final List<LocalRegion> regions = new ArrayList<>(1);
    /** The buffers themselves must stay reachable too. */
    private final List<Object> buffers = new ArrayList<>(1);

    public long register(DomainState domain, Object buffer, long address, long length) {
        LocalRegion region;
        try {
            region = LocalRegion.of(domain, address, length);
        } catch (FabricException e) {
            // the operation fails, so nobody else would let go of its other buffers
            release();
            throw e;
        }
        regions.add(region);
        buffers.add(buffer);
        return region.descriptor();
    }

    @Override
    public void release() {
        regions.forEach(LocalRegion::close);
        regions.clear();
    }

    @Override
    public Object buffers() {
        return buffers;
    }

    @Override
    public long prefix() {
        return 0;
    }
}
