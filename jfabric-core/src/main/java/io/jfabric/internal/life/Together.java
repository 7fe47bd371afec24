// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricException;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Closes many objects at the price of one: keeping other threads out takes longer the more objects there are, so that
 * closing them one by one would take quadratic time.
 */
public final class Together {
    private Together() {
    }

    /**
     * As {@link FidObject#close} of each.
     *
     * @param objects of one fabric
     * @param refused hears of each that could not be closed
     * @throws IllegalStateException if threads do not come out of native calls; nothing is closed then
     */
    public static void close(Collection<? extends FidObject> objects, BiConsumer<FidObject, RuntimeException> refused) {
        if (objects.isEmpty()) {
            return;
        }
        synchronized (objects.iterator().next().family) {
            Closing.run(() -> around(objects), () -> closeEach(objects, refused));
        }
    }

    private static void closeEach(Collection<? extends FidObject> objects,
            BiConsumer<FidObject, RuntimeException> refused) {
        for (FidObject object : objects) {
            try {
                if (object.isOpen()) {
                    Ending.closeAll(object);
                }
            } catch (FabricException | IllegalStateException e) {
                refused.accept(object, e);
            }
        }
    }

    private static Collection<FidObject> around(Collection<? extends FidObject> objects) {
        Set<FidObject> group = Collections.newSetFromMap(new IdentityHashMap<>());
        for (FidObject object : objects) {
            // nearly every object's group is the whole family
            if (!group.contains(object)) {
                group.addAll(object.group());
            }
        }
        return group;
    }
}
