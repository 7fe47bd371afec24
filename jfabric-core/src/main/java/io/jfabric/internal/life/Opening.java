// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.internal.ops.FidOps;
import java.util.function.LongFunction;

/** The only way to an object of libfabric's: to call a constructor is not enough. */
public final class Opening {
    private Opening() {
    }

    /**
     * Makes the object for what C has opened. Once it is complete, other threads see it in the tree, and closers of its
     * parent find it; the caller is inside the parent until then, so that they wait.
     *
     * @param maker gets the address, and calls the constructor
     */
    public static <T extends FidObject> T of(long fid, LongFunction<T> maker) {
        T object;
        try {
            object = maker.apply(fid);
        } catch (RuntimeException | Error e) {
            // nobody else knows of it
            FidOps.close(fid);
            throw e;
        }
        object.list();
        return object;
    }
}
