// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_poll;
import io.jfabric.bindings.fid_poll;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** Poll sets, deprecated in libfabric ({@code struct fi_ops_poll}). */
public final class PollOps {
    private static final long TABLE = fid_poll.ops$offset();
    private static final long POLL = fi_ops_poll.poll$offset();
    private static final long POLL_ADD = fi_ops_poll.poll_add$offset();
    private static final long POLL_DEL = fi_ops_poll.poll_del$offset();

    private PollOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_poll} */
    public static int poll(long fid, long contexts, int count) {
        return CallInt.intLLI(slot(fid, POLL), fid, contexts, count);
    }

    /** {@code fi_poll_add} */
    public static int add(long fid, long event, long flags) {
        return CallInt.intLLL(slot(fid, POLL_ADD), fid, event, flags);
    }

    /** {@code fi_poll_del} */
    public static int remove(long fid, long event, long flags) {
        return CallInt.intLLL(slot(fid, POLL_DEL), fid, event, flags);
    }
}
