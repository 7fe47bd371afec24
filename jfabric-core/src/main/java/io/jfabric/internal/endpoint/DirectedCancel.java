// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/**
 * What libfabric cannot cancel: {@code util_cancel_src} of the receive queues that several providers share looks for
 * the untagged receives from one peer at the wrong address, from 1.19 on (seen up to 2.6), and crashes.
 */
public final class DirectedCancel {
    private DirectedCancel() {
    }

    public static boolean crashes(FabricInfoImpl domain) {
        return Quirks.of(domain.provider()).hasAny(Quirk.DIRECTED_CANCEL, Quirk.DIRECTED_CANCEL_IN_RXM)
                && domain.capabilities().contains(Capability.DIRECTED_RECV);
    }

    public static FabricException refusal(FabricInfoImpl info) {
        return FabricException.of("fi_cancel", Errno.ENOSYS, "provider " + info.provider() + " of libfabric "
                + Known.library() + " crashes when an untagged receive from one peer is cancelled; receive from"
                + " Address.ANY or with a tag, or close the endpoint");
    }
}
