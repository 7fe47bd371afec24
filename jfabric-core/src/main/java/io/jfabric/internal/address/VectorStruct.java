// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_av_attr;
import io.jfabric.info.AvType;
import io.jfabric.internal.ffi.CText;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.option.AddressVectorAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The attributes that address vectors are opened with, for C. */
final class VectorStruct {
    private VectorStruct() {
    }

    /** {@code struct fi_av_attr}, which the provider also answers in. */
    static MemorySegment of(AddressVectorAttributes attributes, AvType ofDomain, Arena arena) {
        MemorySegment attr = Structs.allocate(arena, fi_av_attr.layout());
        // without a type, providers take the one they prefer, and then refuse it in a domain of the other
        boolean open = attributes.type() == AvType.UNSPEC && ofDomain != AvType.UNRECOGNIZED;
        fi_av_attr.type(attr, (int) (open ? ofDomain : attributes.type()).code());
        fi_av_attr.rx_ctx_bits(attr, attributes.receiveContextBits());
        fi_av_attr.count(attr, attributes.count());
        fi_av_attr.ep_per_node(attr, attributes.endpointsPerNode());
        attributes.name().ifPresent(name -> fi_av_attr.name(attr, CText.of(arena, "fi_av_open", name)));
        fi_av_attr.flags(attr, (attributes.readOnly() ? Libfabric.FI_READ() : 0)
                | (attributes.symmetric() ? Libfabric.FI_SYMMETRIC() : 0)
                | (attributes.asynchronous() ? Libfabric.FI_EVENT() : 0));
        return attr;
    }
}
