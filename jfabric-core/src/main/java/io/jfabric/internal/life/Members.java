// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The open objects of one fabric, by what C calls them. They keep this. */
final class Members {
    private final Map<Long, FidObject> open = new ConcurrentHashMap<>();

    void add(long fid, FidObject object) {
        open.put(fid, object);
    }

    void remove(long fid, FidObject object) {
        open.remove(fid, object);
    }

    FidObject find(long fid) {
        return open.get(fid);
    }

    /** Adds those that are used together with others, and what is below the object. */
    void addAround(FidObject object, Collection<FidObject> group) {
        for (FidObject each : open.values()) {
            if (!each.isApart() || each.isBelow(object)) {
                group.add(each);
            }
        }
    }
}
