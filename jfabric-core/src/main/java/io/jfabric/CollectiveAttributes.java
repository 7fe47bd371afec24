// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_atomic_attr;
import io.jfabric.bindings.fi_collective_attr;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import io.jfabric.info.Flags;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * What a provider can do of a collective operation ({@code struct fi_collective_attr}, fi_collective(3)).
 *
 * @param maxCount how many elements one operation takes at most; 0 if the provider does not say
 * @param elementSize in bytes; 0 if the provider does not say
 * @param maxMembers how many endpoints may take part at most; 0 if the provider does not say
 */
public record CollectiveAttributes(long maxCount, long elementSize, long maxMembers) {
    /** Empty where the domain cannot do it at all. */
    static Optional<CollectiveAttributes> query(Domain domain, CollectiveOperation operation, Datatype type,
            AtomicOp reduction) {
        Flags.of(type).requireKnown("datatype");
        Flags.of(reduction).requireKnown("reduction");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_collective_attr.allocate(arena);
            fi_collective_attr.op(attr, (int) reduction.code());
            fi_collective_attr.datatype(attr, (int) type.code());
            int result = DomainOps.queryCollective(domain.handle(), (int) operation.code(), attr.address(), 0);
            if (result == -Errno.ENOSYS || result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL) {
                return Optional.empty();
            }
            FabricObject.check("fi_query_collective", result, "provider " + domain.info().provider());
            MemorySegment datatype = fi_collective_attr.datatype_attr(attr);
            return Optional.of(new CollectiveAttributes(fi_atomic_attr.count(datatype), fi_atomic_attr.size(datatype),
                    fi_collective_attr.max_members(attr)));
        }
    }
}
