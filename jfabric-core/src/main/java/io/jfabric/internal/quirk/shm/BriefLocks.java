// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.quirk.Uninterrupted;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The {@link BriefLock}s that a thread of an endpoint may wait for: its own, and those of its peers that have died
 * inside, at which nobody else looks. Of these, only once a thread has been inside a native call for a second.
 */
final class BriefLocks {
    private static final Log LOG = Log.of(Endpoint.class);

    private final String name;
    private final BriefLock own;
    private final BooleanSupplier inside;
    private final Map<Path, BriefLock> dead = new HashMap<>();
    /** Since when a thread was inside at every look; 0 if none is. */
    private long insideSince;

    BriefLocks(String name, BriefLock own, BooleanSupplier inside) {
        this.name = name;
        this.own = own;
        this.inside = inside;
    }

    /** Whether to look again soon, as one is held. */
    boolean look() throws IOException {
        if (own.free()) {
            LOG.warn("a process died while it held the lock of the endpoint {}; the lock was taken from it", name);
        }
        lookAtDead();
        return own.isHeld() || !dead.isEmpty();
    }

    private void lookAtDead() throws IOException {
        if (!inside.getAsBoolean()) {
            insideSince = 0;
            dead.clear();
            return;
        }
        long now = System.nanoTime();
        if (insideSince == 0) {
            insideSince = now;
        } else if (now - insideSince > LockRescue.PATIENCE) {
            insideSince = now;
            for (RegionOwners.Region region : RegionOwners.all()) {
                if (region.isLocked() && region.isOver() && !dead.containsKey(region.file())) {
                    map(region.file());
                }
            }
        }
        for (Map.Entry<Path, BriefLock> peer : dead.entrySet()) {
            if (peer.getValue().free()) {
                LOG.warn("a process died while it held the lock of its endpoint {}, which others wait for; the lock "
                        + "was taken from it", peer.getKey().getFileName());
            }
        }
    }

    private void map(Path file) throws IOException {
        MemorySegment region = Uninterrupted.read(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), Arena.ofAuto());
            }
        });
        ClaimLayout layout = ClaimLayout.of(region, region.byteSize());
        if (layout != null && layout.hasBriefLock()) {
            dead.put(file, new BriefLock(region, layout.lock()));
        }
    }
}
