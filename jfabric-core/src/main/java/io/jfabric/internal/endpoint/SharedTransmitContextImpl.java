// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricException;
import io.jfabric.SharedTransmitContext;
import io.jfabric.bindings.fi_info;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;

/** {@link SharedTransmitContext}. */
public final class SharedTransmitContextImpl extends FidObject implements SharedTransmitContext {
    private SharedTransmitContextImpl(DomainState domain, long handle) {
        super(domain.object(), handle);
    }

    /** From a copy of the user's info that nobody changes meanwhile. */
    public static SharedTransmitContextImpl open(DomainState domain, FabricInfoImpl info) {
        if (domain.quirks().has(Quirk.SHARED_TRANSMIT_CONTEXTS)) {
            throw FabricException.of("fi_stx_context", Errno.ENOSYS, "provider " + info.provider() + " crashes when an "
                    + "endpoint that has sent by a shared transmit context, or its peer, ends; open endpoints with "
                    + "transmit contexts of their own: leave endpoint().txContextCount of the hints as it is");
        }
        long attr = Memory.getLong(info.address() + fi_info.tx_attr$offset());
        return domain.open("fi_stx_context", (d, result) -> DomainOps.stxCtx(d, attr, result, 0),
                stx -> new SharedTransmitContextImpl(domain, stx));
    }

    @Override
    public String kind() {
        return "shared transmit context";
    }

    @Override
    protected int closeRank() {
        return CloseRank.SHARED_CONTEXT;
    }
}
