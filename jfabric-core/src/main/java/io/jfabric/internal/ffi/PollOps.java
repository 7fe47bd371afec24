// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_poll;
import io.jfabric.bindings.fid_poll;
import java.lang.invoke.MethodHandle;

/** Poll sets, deprecated in libfabric ({@code struct fi_ops_poll}). */
public final class PollOps {
    private static final long TABLE = fid_poll.ops$offset();
    private static final long POLL = fi_ops_poll.poll$offset();
    private static final long POLL_ADD = fi_ops_poll.poll_add$offset();
    private static final long POLL_DEL = fi_ops_poll.poll_del$offset();

    private static final MethodHandle INT_OF_LLI = Downcall.of(I, L, L, I);
    private static final MethodHandle INT_OF_LLL = Downcall.of(I, L, L, L);

    private PollOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_poll} */
    public static int poll(long fid, long contexts, int count) {
        long f = slot(fid, POLL);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLI.invokeExact(function(f), fid, contexts, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_poll_add} */
    public static int add(long fid, long event, long flags) {
        long f = slot(fid, POLL_ADD);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, event, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_poll_del} */
    public static int remove(long fid, long event, long flags) {
        long f = slot(fid, POLL_DEL);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, event, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
