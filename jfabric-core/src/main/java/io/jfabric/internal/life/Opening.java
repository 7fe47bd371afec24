// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongFunction;

/** The only way to open an object of libfabric's: calling a constructor is not enough. */
public final class Opening {
    private Opening() {
    }

    /** One of the calls that open something from an object. */
    @FunctionalInterface
    public interface Opener {
        /** Writes the new object's address to where {@code result} says. */
        int open(long parent, long result);
    }

    /** Opens something and makes the object for it, before the parent can be closed. */
    public static <T extends FidObject> T of(FidObject parent, String operation, Opener opener, LongFunction<T> maker,
            String detail) {
        return parent.call(handle -> of(open(handle, operation, opener, detail), maker));
    }

    /** For callers that are inside the parent: the address of what is opened. */
    public static long open(long parent, String operation, Opener opener, String detail) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            Results.check(operation, opener.open(parent, result.address()), detail);
            long opened = result.get(ValueLayout.JAVA_LONG, 0);
            if (opened == 0) {
                throw FabricException.of(operation, Errno.ENODATA, (detail == null ? "" : detail + "; ")
                        + "libfabric opened nothing, without an error: the provider may lack one that it is built on; "
                        + "if FI_PROVIDER is set, unset it");
            }
            return opened;
        }
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
