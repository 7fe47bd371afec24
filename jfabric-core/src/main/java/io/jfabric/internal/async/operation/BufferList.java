// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.Mode;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.shared.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Checks and copies the buffers of one message, or of one write or read. */
public final class BufferList {
    private BufferList() {
    }

    /** The most buffers in a message that is sent, for an endpoint opened from this. */
    public static long mostSent(FabricInfo info) {
        // a prefix of the provider's takes one
        long own = info.tx().mode().contains(Mode.MSG_PREFIX) ? 1 : 0;
        return Math.max(1, info.tx().iovLimit() - own);
    }

    /** The most buffers for a message that is received, for an endpoint opened from this. */
    public static long mostReceived(FabricInfo info) {
        long own = info.rx().mode().contains(Mode.MSG_PREFIX) ? 1 : 0;
        // without a tail, longer messages would not be found out, or end the connection
        long tail = OverflowTail.isForAll(((FabricInfoImpl) info).quirks()) ? 1 : 0;
        return Math.max(1, info.rx().iovLimit() - own - tail);
    }

    /** The most buffers that are written or read at once, for an endpoint opened from this. */
    public static long mostTransferred(FabricInfo info) {
        return Math.max(1, info.tx().iovLimit());
    }

    /** A copy that nobody else changes. */
    static MemorySegment[] of(String what, List<MemorySegment> buffers) {
        MemorySegment[] copy = Objects.requireNonNull(buffers, () -> what + ": the list of buffers is null")
                .toArray(new MemorySegment[0]);
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] == null) {
                throw new NullPointerException(what + ": " + place(i, copy) + " is null; for an empty "
                        + (what.equals("send") || what.equals("receive") ? "message" : what) + " use an empty list");
            }
        }
        return copy;
    }

    /** A copy of those of a message to be sent; checks that they are not too many. */
    static MemorySegment[] toSend(List<MemorySegment> buffers, Common common) {
        MemorySegment[] copy = of("send", buffers);
        if (copy.length > common.pieces()) {
            throw tooMany("send", copy.length, common, common.pieces(), "tx().iovLimit()",
                    "copy some of them into one, or send several messages");
        }
        return copy;
    }

    /** The same for a message to be received. */
    static MemorySegment[] toReceive(List<MemorySegment> buffers, Common common) {
        MemorySegment[] copy = of("receive", buffers);
        long most = common.receivedPieces();
        if (copy.length > most) {
            throw tooMany("receive", copy.length, common, most, "rx().iovLimit()"
                    + (most < common.node().info().rx().iovLimit() ? ", less what jfabric needs" : ""),
                    "receive into one, and take slices of it");
        }
        return copy;
    }

    private static IllegalArgumentException tooMany(String what, int count, Common common, long most, String limit,
            String remedy) {
        return new IllegalArgumentException(what + ": " + count + " buffers are too many for one message: provider "
                + common.node().info().provider() + " takes at most " + most + " (" + limit + "); " + remedy);
    }

    /** Checks that none is confined to a thread. */
    static void checkForAnyThread(String what, MemorySegment[] buffers) {
        for (int i = 0; i < buffers.length; i++) {
            if (!Buffers.isForAnyThread(buffers[i])) {
                Buffers.checkForAnyThread(what, place(i, buffers), buffers[i]);
            }
        }
    }

    /** Checks that the provider may read them, or write to them: before the first of several operations begins. */
    static void checkUsable(String what, MemorySegment[] buffers, boolean written) {
        for (int i = 0; i < buffers.length; i++) {
            if (!Buffers.isUsable(buffers[i], written)) {
                String which = what + ", index " + i + " of " + buffers.length;
                if (written) {
                    Buffers.writable(which, buffers[i]);
                } else {
                    Buffers.address(which, buffers[i]);
                }
            }
        }
    }

    private static String place(int index, MemorySegment[] buffers) {
        return "the buffer at index " + index + " of " + buffers.length;
    }

    static MemorySegment[] filled(MemorySegment[] buffers) {
        return Arrays.stream(buffers).filter(buffer -> buffer.byteSize() > 0).toArray(MemorySegment[]::new);
    }

    static long length(String what, MemorySegment[] buffers) {
        long length = 0;
        for (MemorySegment buffer : buffers) {
            length = Sizes.sum(what, "buffers", length, buffer.byteSize());
        }
        return length;
    }
}
