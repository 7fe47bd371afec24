// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.Version;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;

/**
 * What libfabric cannot cancel: {@code util_cancel_src} of the receive queues that several providers share looks for
 * the untagged receives from one peer at the wrong address, from 1.19 on (seen up to 2.6), and crashes.
 */
public final class DirectedCancel {
    private static final Version SHARED_QUEUES = new Version(1, 19);
    private static final Version SHARED_QUEUES_IN_RXM = new Version(2, 0);

    private DirectedCancel() {
    }

    public static boolean crashes(FabricInfoImpl domain) {
        Version since = switch (domain.provider()) {
            case "shm", "sm2", "efa" -> SHARED_QUEUES;
            case String name when name.endsWith("ofi_rxm") -> SHARED_QUEUES_IN_RXM;
            case null, default -> null;
        };
        return since != null && FabricImpl.version().atLeast(since)
                && domain.capabilities().contains(Capability.DIRECTED_RECV);
    }

    public static FabricException refusal(FabricInfoImpl info) {
        return FabricException.of("fi_cancel", Errno.ENOSYS, "provider " + info.provider() + " of libfabric "
                + FabricImpl.version() + " crashes when an untagged receive from one peer is cancelled; receive from"
                + " Address.ANY or with a tag, or close the endpoint");
    }
}
