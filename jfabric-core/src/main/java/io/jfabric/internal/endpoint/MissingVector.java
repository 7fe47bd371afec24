// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.bindings.fi_av_attr;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.AddressVectorAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Some providers look for connections to close in the address vector even if there is none. */
public final class MissingVector {
    private MissingVector() {
    }

    /** Call before an endpoint is closed; the result must be closed after it. */
    static AddressVectorImpl bindBeforeClose(EndpointImpl endpoint) {
        if (!endpoint.state().domain().quirks().has(Quirk.CLOSE_NEEDS_VECTOR) || endpoint.isConnected()
                || endpoint.used(AddressVectorImpl.class) != null) {
            return null;
        }
        AddressVectorImpl vector = AddressVectorImpl.open(endpoint.state().domain(), AddressVectorAttributes.DEFAULT);
        endpoint.bind(vector);
        return vector;
    }

    /** How an endpoint is closed for which there was no memory, or no stack, when C had opened it. */
    public static Opening.Undoing undoing(DomainState domain, FabricInfoImpl info) {
        if (domain.quirks().has(Quirk.CLOSE_NEEDS_ENABLE)) {
            return (parent, endpoint) -> -Errno.EBUSY;
        }
        if (!domain.quirks().has(Quirk.CLOSE_NEEDS_VECTOR) || info.endpoint().type() == EndpointType.MSG) {
            return (parent, endpoint) -> FidOps.close(endpoint);
        }
        long type = domain.info().domain().avType().code();
        return (parent, endpoint) -> closeWithVector(parent, endpoint, type);
    }

    private static long closeWithVector(long domain, long endpoint, long type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = Structs.allocate(arena, fi_av_attr.layout());
            fi_av_attr.type(attributes, (int) type);
            long vector = Opening.open(domain, "fi_av_open", (d, result) ->
                    DomainOps.avOpen(d, attributes.address(), result, 0), null);
            long result = FidOps.bind(endpoint, vector, 0);
            result = result == 0 ? FidOps.close(endpoint) : result;
            FidOps.close(vector);
            return result;
        }
    }
}
