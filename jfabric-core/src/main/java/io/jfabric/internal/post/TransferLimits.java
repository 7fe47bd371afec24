// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.FabricInfoImpl;

/**
 * How much one remote access of an endpoint can take. Some providers do not check this themselves, but write past the
 * end of their own buffers.
 */
public final class TransferLimits {
    private static final long INJECT = Libfabric.FI_INJECT();

    private final FabricInfoImpl info;
    private final long injectSize;
    private final long localBuffers;
    private final long remoteRanges;

    public TransferLimits(FabricInfoImpl info) {
        this.info = info;
        injectSize = info.tx().injectSize();
        localBuffers = Math.max(1, info.tx().iovLimit());
        remoteRanges = Math.max(1, info.tx().rmaIovLimit());
    }

    public void checkInject(String operation, long length) {
        if (length > injectSize) {
            throw Refusal.tooLong(info, operation, length);
        }
    }

    public void checkFlags(String operation, long length, long flags) {
        if ((flags & INJECT) != 0) {
            checkInject(operation, length);
        }
    }

    public void checkLocal(String operation, long count) {
        if (count > localBuffers) {
            throw new IllegalArgumentException(operation + ": " + count + " buffers are too many, at most "
                    + localBuffers + " can be used at once (tx().iovLimit())");
        }
    }

    public void checkRemote(String operation, long count) {
        if (count > remoteRanges) {
            throw new IllegalArgumentException(operation + ": " + count + " remote ranges are too many, at most "
                    + remoteRanges + " can be used at once (tx().rmaIovLimit())");
        }
    }
}
