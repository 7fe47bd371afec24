// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.bindings.fi_atomic_attr;
import io.jfabric.bindings.fi_collective_attr;
import io.jfabric.collective.CollectiveAttributes;
import io.jfabric.collective.CollectiveOperation;
import io.jfabric.info.Flags;
import io.jfabric.internal.ffi.Amount;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** {@code fi_query_collective} */
final class CollectiveSupport {
    private CollectiveSupport() {
    }

    /** Empty if the domain cannot do it at all. */
    static Optional<CollectiveAttributes> query(DomainState domain, CollectiveOperation operation, Datatype type,
            AtomicOp reduction) {
        Arguments.given(operation, "fi_query_collective", "the operation");
        Arguments.given(type, "fi_query_collective", "the datatype");
        Arguments.given(reduction, "fi_query_collective", "the reduction");
        Known.require(Flags.of(type), "datatype");
        Known.require(Flags.of(reduction), "reduction");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_collective_attr.layout());
            fi_collective_attr.op(attr, (int) reduction.code());
            fi_collective_attr.datatype(attr, (int) type.code());
            int result = domain.object().call(d ->
                    DomainOps.queryCollective(d, (int) operation.code(), attr.address(), 0));
            if (result == -Errno.ENOSYS || result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL) {
                return Optional.empty();
            }
            Results.check("fi_query_collective", result, "provider " + domain.info().provider());
            MemorySegment datatype = fi_collective_attr.datatype_attr(attr);
            return Optional.of(new CollectiveAttributes(Amount.of(fi_atomic_attr.count(datatype)),
                    Amount.of(fi_atomic_attr.size(datatype)), Amount.of(fi_collective_attr.max_members(attr))));
        }
    }
}
