// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** A collective operation ({@code enum fi_collective_op}). */
public enum CollectiveOperation implements FabricConstant {
    /** All wait for all. */
    BARRIER(Libfabric.FI_BARRIER()),
    /** One sends to all. */
    BROADCAST(Libfabric.FI_BROADCAST()),
    /** Each sends something different to each. */
    ALLTOALL(Libfabric.FI_ALLTOALL()),
    /** All combine, all have the result. */
    ALLREDUCE(Libfabric.FI_ALLREDUCE()),
    /** Each sends to all. */
    ALLGATHER(Libfabric.FI_ALLGATHER()),
    /** All combine, each has a part of the result. */
    REDUCE_SCATTER(Libfabric.FI_REDUCE_SCATTER()),
    /** All combine, one has the result. */
    REDUCE(Libfabric.FI_REDUCE()),
    /** One sends something different to each. */
    SCATTER(Libfabric.FI_SCATTER()),
    /** Each sends to one. */
    GATHER(Libfabric.FI_GATHER());

    private final long code;

    CollectiveOperation(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }
}
