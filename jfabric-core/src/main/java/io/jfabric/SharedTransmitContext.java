// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Memory;

/**
 * Resources for sending that several endpoints use together (fi_stx_context, fi_endpoint(3)). Bind it to endpoints
 * that were opened with {@code endpoint().txContextCount(EndpointAttributes.SHARED_CONTEXT)}, and send with those.
 */
public final class SharedTransmitContext extends FabricObject {
    private SharedTransmitContext(Domain domain, long handle) {
        super(domain, handle);
    }

    static SharedTransmitContext open(Domain domain, FabricInfo info) {
        long attr = Memory.getLong(info.address() + fi_info.tx_attr$offset());
        return new SharedTransmitContext(domain, domain.open("fi_stx_context", (d, result) ->
                DomainOps.stxCtx(d, attr, result, 0)));
    }

    @Override
    String kind() {
        return "shared transmit context";
    }

    @Override
    int closeRank() {
        return CloseRank.SHARED_CONTEXT;
    }
}
