// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The objects that a provider may touch together, in whatever thread: those of a fabric, or, where endpoints of one
 * process use each other's memory, those of all its fabrics. One thread at a time closes any of them.
 */
public final class Family {
    private static final Family OF_PROCESS = new Family();

    private final Map<Long, FidObject> open = new ConcurrentHashMap<>();
    private final Parking parking = new Parking();

    private Family() {
    }

    /** The family of a new fabric. */
    public static Family ofFabric() {
        return new Family();
    }

    /** The one family of all fabrics that ask for it. */
    public static Family ofProcess() {
        return OF_PROCESS;
    }

    Parking parking() {
        return parking;
    }

    void add(long fid, FidObject object) {
        open.put(fid, object);
    }

    void remove(long fid, FidObject object) {
        open.remove(fid, object);
    }

    FidObject find(long fid) {
        return open.get(fid);
    }

    /** The objects that a closer keeps others out of: all that work together, and what is below the object. */
    Collection<FidObject> around(FidObject object) {
        List<FidObject> group = new ArrayList<>();
        for (FidObject each : open.values()) {
            if (!each.isApart() || each.isBelow(object)) {
                group.add(each);
            }
        }
        return group;
    }
}
