// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Keeps what it gets. */
final class Keeper implements Hub.Receiver {
    final List<PooledBuffer> kept = new ArrayList<>();

    @Override
    public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        kept.add(buffer);
        return Hub.Ending.LATER;
    }

    @Override
    public void ended() {
        // with the test
    }
}
