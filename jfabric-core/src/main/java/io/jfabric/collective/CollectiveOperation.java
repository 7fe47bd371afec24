// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** A collective operation ({@code enum fi_collective_op}). */
public enum CollectiveOperation implements FabricConstant {
    /** All wait for all. */
    BARRIER(Libfabric.FI_BARRIER(), Libfabric.FI_BARRIER_SET()),
    /** One sends to all. */
    BROADCAST(Libfabric.FI_BROADCAST(), Libfabric.FI_BROADCAST_SET()),
    /** Each sends something different to each. */
    ALLTOALL(Libfabric.FI_ALLTOALL(), Libfabric.FI_ALLTOALL_SET()),
    /** All combine, all have the result. */
    ALLREDUCE(Libfabric.FI_ALLREDUCE(), Libfabric.FI_ALLREDUCE_SET()),
    /** Each sends to all. */
    ALLGATHER(Libfabric.FI_ALLGATHER(), Libfabric.FI_ALLGATHER_SET()),
    /** All combine, each has a part of the result. */
    REDUCE_SCATTER(Libfabric.FI_REDUCE_SCATTER(), Libfabric.FI_REDUCE_SCATTER_SET()),
    /** All combine, one has the result. */
    REDUCE(Libfabric.FI_REDUCE(), Libfabric.FI_REDUCE_SET()),
    /** One sends something different to each. */
    SCATTER(Libfabric.FI_SCATTER(), Libfabric.FI_SCATTER_SET()),
    /** Each sends to one. */
    GATHER(Libfabric.FI_GATHER(), Libfabric.FI_GATHER_SET());

    private final long code;
    private final long setFlag;

    CollectiveOperation(long code, long setFlag) {
        this.code = code;
        this.setFlag = setFlag;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }

    /** The bit that asks for a set that can do this. */
    long setFlag() {
        return setFlag;
    }
}
