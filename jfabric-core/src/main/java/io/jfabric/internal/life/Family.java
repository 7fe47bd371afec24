// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The objects that a provider may touch together, in whatever thread: those of a fabric, or, where endpoints of one
 * process use each other's memory, those of all its fabrics. One thread at a time closes any of them.
 */
public final class Family {
    private static final Family OF_PROCESS = new Family();

    /** Of each fabric; weak, as those of a fabric that is forgotten are to go with it. */
    private final Set<Members> fabrics = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
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

    /** For the objects of a new fabric. */
    Members ofAnother() {
        Members members = new Members();
        fabrics.add(members);
        return members;
    }

    /** The objects that a closer keeps others out of: all that work together, and what is below the object. */
    Collection<FidObject> around(FidObject object) {
        List<FidObject> group = new ArrayList<>();
        synchronized (fabrics) {
            fabrics.forEach(members -> members.addAround(object, group));
        }
        return group;
    }
}
