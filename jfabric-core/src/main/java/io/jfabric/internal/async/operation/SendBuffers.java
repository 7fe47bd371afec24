// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.Mode;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.shared.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** Checks and copies the buffers of one message. */
public final class SendBuffers {
    private SendBuffers() {
    }

    /** The most buffers in a message, for an endpoint opened from this. */
    public static long most(FabricInfo info) {
        // a prefix of the provider's takes one
        long own = info.tx().mode().contains(Mode.MSG_PREFIX) ? 1 : 0;
        return Math.max(1, info.tx().iovLimit() - own);
    }

    /** A copy that nobody else changes; checks that it is not too long. */
    static MemorySegment[] of(List<MemorySegment> buffers, Common common) {
        MemorySegment[] copy = Objects.requireNonNull(buffers, "send: the list of buffers is null")
                .toArray(new MemorySegment[0]);
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] == null) {
                throw new NullPointerException("send: " + place(i, copy) + " is null; for an empty message use an "
                        + "empty list");
            }
        }
        if (copy.length > common.pieces()) {
            throw new IllegalArgumentException("send: " + copy.length + " buffers are too many for one message: "
                    + "provider " + common.node().info().provider() + " takes at most " + common.pieces()
                    + " (tx().iovLimit()); copy some of them into one, or send several messages");
        }
        return copy;
    }

    /** Checks that none is confined to a thread. */
    static void checkForAnyThread(MemorySegment[] buffers) {
        for (int i = 0; i < buffers.length; i++) {
            if (!Buffers.isForAnyThread(buffers[i])) {
                Buffers.checkForAnyThread("send", place(i, buffers), buffers[i]);
            }
        }
    }

    private static String place(int index, MemorySegment[] buffers) {
        return "the buffer at index " + index + " of " + buffers.length;
    }

    static long length(MemorySegment[] buffers) {
        long length = 0;
        for (MemorySegment buffer : buffers) {
            length = Sizes.sum("send", "buffers", length, buffer.byteSize());
        }
        return length;
    }
}
