// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_collective_addr;
import io.jfabric.bindings.fid_mc;
import io.jfabric.ffi.CmOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * Endpoints that take part in collective operations together ({@code struct fid_mc}, fi_collective(3)). From
 * {@link Collectives#join}; can be used once the event queue has delivered its
 * {@link FabricEvent.JoinComplete}. All operations must have completed before it is closed.
 */
public final class CollectiveGroup extends FabricObject {
    private final Endpoint endpoint;
    private final int size;
    private final int rank;
    private final long context;
    private final long address;
    private volatile boolean joined;

    private CollectiveGroup(Endpoint endpoint, AddressVectorSet set, long handle, int size, int rank, long context) {
        // the set cannot be closed before its groups, nor these before their endpoint
        super(set, handle);
        this.endpoint = endpoint;
        this.size = size;
        this.rank = rank;
        this.context = context;
        this.address = Memory.getLong(handle + fid_mc.fi_addr$offset());
    }

    static CollectiveGroup join(Endpoint endpoint, AddressVectorSet set, CollectiveGroup parent, long context) {
        Objects.requireNonNull(set, "fi_join_collective: the set is null");
        int rank = rankIn(endpoint, set);
        PendingJoins joins = endpoint.domain().fabric().joins();
        long token = joins.token();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment where = fi_collective_addr.allocate(arena);
            fi_collective_addr.set(where, MemorySegment.ofAddress(set.handle()));
            fi_collective_addr.coll_addr(where, parent == null ? everybody(set) : parent.address());
            MemorySegment result = arena.allocate(JAVA_LONG);
            int error = CmOps.join(endpoint.handle(), where.address(), Libfabric.FI_COLLECTIVE(), result.address(),
                    token);
            check("fi_join_collective", error, "provider " + endpoint.info().provider()
                    + "; ask for the capability COLLECTIVE in the hints");
            CollectiveGroup group = new CollectiveGroup(endpoint, set, result.get(JAVA_LONG, 0), set.members().size(),
                    rank, context);
            joins.started(token, group);
            return group;
        }
    }

    /** Who agrees on the group: by default all of the vector's first set, which 1.18 and newer do not look up. */
    private static long everybody(AddressVectorSet set) {
        return NativeLibrary.knows(new Version(1, 18)) ? set.address() : Address.NOT_AVAILABLE;
    }

    /** The software collectives number themselves by their own address; without it they write out of bounds. */
    private static int rankIn(Endpoint endpoint, AddressVectorSet set) {
        if (!Collectives.inSoftware(endpoint)) {
            return -1;
        }
        byte[] own = endpoint.address().bytes();
        int rank = 0;
        while (rank < set.members().size()
                && !Arrays.equals(set.vector().lookup(set.members().get(rank)).bytes(), own)) {
            rank++;
        }
        if (rank == set.members().size()) {
            throw FabricException.of("fi_join_collective", Errno.EINVAL, "the endpoint's own address "
                    + endpoint.address() + " is not in the set; insert it in the address vector like a peer's");
        }
        return rank;
    }

    /**
     * The address of the group, which operations use.
     *
     * @return the collective address ({@code fi_mc_addr})
     */
    public long address() {
        handle();
        return address;
    }

    /**
     * How many endpoints take part.
     *
     * @return at least 1
     */
    public int size() {
        return size;
    }

    /**
     * This endpoint's position in the set.
     *
     * @return from 0; -1 where only the provider knows
     */
    public int rank() {
        return rank;
    }

    /**
     * Whether the group can be used: its {@link FabricEvent.JoinComplete} has been read.
     *
     * @return true from then on
     */
    public boolean isJoined() {
        return joined;
    }

    long context() {
        return context;
    }

    void joined() {
        joined = true;
    }

    /** The address for an operation of this endpoint. */
    long use(String operation, Endpoint user) {
        if (user != endpoint) {
            throw new IllegalArgumentException(operation + ": the group was joined by another endpoint");
        }
        if (!joined) {
            throw new IllegalStateException(operation + ": the group is not joined yet; poll the completion queue and "
                    + "read the event queue until it has delivered JoinComplete");
        }
        return address();
    }

    @Override
    void closing() {
        // the provider would go on writing to it
        if (!joined && endpoint.isOpen()) {
            throw new IllegalStateException("the join is still under way; wait for its JoinComplete, or close the "
                    + "endpoint first");
        }
    }

    @Override
    String kind() {
        return "collective group";
    }

    @Override
    int closeRank() {
        return CloseRank.REGION;
    }
}
