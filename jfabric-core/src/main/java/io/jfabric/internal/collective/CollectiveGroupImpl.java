// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_collective_addr;
import io.jfabric.bindings.fid_mc;
import io.jfabric.collective.CollectiveGroup;
import io.jfabric.info.Address;
import io.jfabric.info.Version;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.connect.PendingJoins;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.CmOps;
import io.jfabric.internal.quirk.Quirk;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** {@link CollectiveGroup}. */
public final class CollectiveGroupImpl extends FidObject implements CollectiveGroup, PendingJoins.Join {
    /** The most groups in the life of an endpoint. */
    private static final int MOST_GROUPS = 255;

    private final EndpointImpl endpoint;
    private final int size;
    private final int rank;
    private final long context;
    private final long address;
    /** The token of the join. */
    private final long token;
    /** The entry of the join in its parent; null if that is the set itself. */
    private final GroupUse.Entry inParent;
    private final GroupUse use = new GroupUse();
    private volatile boolean joined;
    private volatile boolean failed;

    private CollectiveGroupImpl(EndpointImpl endpoint, AddressVectorSetImpl set, long handle, int rank, long context,
            long token, GroupUse.Entry inParent) {
        // the set cannot be closed before its groups, nor these before their endpoint
        super(set, handle);
        this.endpoint = endpoint;
        this.size = set.members().size();
        this.rank = rank;
        this.context = context;
        this.token = token;
        this.inParent = inParent;
        this.address = Memory.getLong(handle + fid_mc.fi_addr$offset());
    }

    public static CollectiveGroupImpl join(EndpointImpl endpoint, AddressVectorSetImpl set, CollectiveGroupImpl parent,
            long context) {
        Objects.requireNonNull(set, "fi_join_collective: the set is null");
        // so that nobody changes it meanwhile
        synchronized (set) {
            return joinAs(rankIn(endpoint, set), endpoint, set, parent, context);
        }
    }

    private static CollectiveGroupImpl joinAs(int rank, EndpointImpl endpoint, AddressVectorSetImpl set,
            CollectiveGroupImpl parent, long context) {
        endpoint.checkRelated("fi_join_collective", set);
        endpoint.handle();
        checkVector(endpoint, set);
        if (parent == null) {
            checkAlone(endpoint, set);
        }
        // not inside of the endpoint's call: a thread that closes both would wait for this one, and this one for that
        long everybody = parent == null ? everybody(set) : Address.NOT_AVAILABLE;
        return endpoint.call(fid -> join(fid, endpoint, set, parent, everybody, rank, context));
    }

    private static CollectiveGroupImpl join(long fid, EndpointImpl endpoint, AddressVectorSetImpl set,
            CollectiveGroupImpl parent, long everybody, int rank, long context) {
        long all = parent == null ? everybody : parent.fabricAddress();
        PendingJoins joins = endpoint.fabricState().joins();
        long token = begin(endpoint, joins);
        GroupUse.Entry inParent = parent == null ? null : beginIn(parent, joins, token);
        CollectiveGroupImpl group = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment where = Structs.allocate(arena, fi_collective_addr.layout());
            fi_collective_addr.set(where, MemorySegment.ofAddress(set.fid()));
            fi_collective_addr.coll_addr(where, all);
            long handle = Opening.open(fid, "fi_join_collective", (ep, result) ->
                    CmOps.join(ep, where.address(), Libfabric.FI_COLLECTIVE(), result, token), "provider "
                    + endpoint.info().provider() + "; ask for the capability COLLECTIVE in the hints");
            group = Opening.of(handle, joined ->
                    new CollectiveGroupImpl(endpoint, set, joined, rank, context, token, inParent));
            return group;
        } finally {
            if (group == null) {
                joins.failed(token);
                if (inParent != null) {
                    inParent.release();
                }
            } else {
                joins.started(token, group);
            }
        }
    }

    private static GroupUse.Entry beginIn(CollectiveGroupImpl parent, PendingJoins joins, long token) {
        try {
            return parent.use.begin(null, null);
        } catch (RuntimeException closed) {
            joins.failed(token);
            throw closed;
        }
    }

    private static long begin(EndpointImpl endpoint, PendingJoins joins) {
        AtomicLong last = endpoint.state().lastJoin();
        long before = last.get();
        long token = joins.begin();
        // another thread may begin one, too
        boolean isJoining = joinsAlone(endpoint) && (joins.isUnderWay(before) || !last.compareAndSet(before, token));
        // last, as it counts
        if (isJoining || runsOut(endpoint)) {
            joins.failed(token);
            throw isJoining ? joining() : noNumber();
        }
        return token;
    }

    private static boolean runsOut(EndpointImpl endpoint) {
        return endpoint.state().domain().quirks().has(Quirk.GROUPS_RUN_OUT)
                && !endpoint.state().countGroup(MOST_GROUPS);
    }

    private static FabricException noNumber() {
        return FabricException.of("fi_join_collective", Errno.ENOSPC, "the endpoint has joined " + MOST_GROUPS
                + " groups, closed ones counted, and the provider has no more numbers for them: use a group again, "
                + "or open another endpoint");
    }

    private static boolean joinsAlone(EndpointImpl endpoint) {
        return endpoint.state().domain().quirks().has(Quirk.JOINS_SHARE_A_NUMBER);
    }

    private static IllegalStateException joining() {
        return new IllegalStateException("fi_join_collective: another join of the endpoint is under way, and both "
                + "groups would have one number: wait for its JoinComplete");
    }

    /** Collectives send to the numbers that the set has for its members, but in the endpoint's own vector. */
    private static void checkVector(EndpointImpl endpoint, AddressVectorSetImpl set) {
        AddressVectorImpl bound = endpoint.used(AddressVectorImpl.class);
        if (bound != null && bound != set.vector()) {
            throw new IllegalArgumentException("fi_join_collective: the set is of another address vector than the "
                    + "endpoint's, where its addresses are others or none; open the set on the vector that the "
                    + "endpoint is bound to");
        }
    }

    private static void checkAlone(EndpointImpl endpoint, AddressVectorSetImpl set) {
        boolean perSet = Known.since(new Version(1, 18));
        if (CollectivesImpl.inSoftware(endpoint)
                && !endpoint.fabricState().rootJoins().take(perSet ? set : set.vector(), endpoint)) {
            throw new IllegalStateException("fi_join_collective: another endpoint has joined by "
                    + (perSet ? "this set; open another set" : "a set of this address vector; open another vector")
                    + " for each endpoint of the process, or close the other one first");
        }
    }

    /** Those who agree on the group: by default all of the vector's first set, which 1.18 and newer do not look up. */
    private static long everybody(AddressVectorSetImpl set) {
        return Known.since(new Version(1, 18)) ? set.fabricAddress() : Address.NOT_AVAILABLE;
    }

    /** The software collectives number members by their own address; without it in the set they write out of bounds. */
    private static int rankIn(EndpointImpl endpoint, AddressVectorSetImpl set) {
        if (!CollectivesImpl.inSoftware(endpoint)) {
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

    @Override
    public long fabricAddress() {
        handle();
        return address;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public boolean isJoined() {
        return joined;
    }

    @Override
    public long context() {
        return context;
    }

    @Override
    public void joined() {
        joined = true;
        leaveParent();
    }

    @Override
    public void failed() {
        failed = true;
        leaveParent();
    }

    private void leaveParent() {
        if (inParent != null) {
            inParent.release();
        }
    }

    @Override
    public FabricObject group() {
        return this;
    }

    /** The group's address, for an operation of this endpoint. */
    public long use(String operation, EndpointImpl user) {
        if (user != endpoint) {
            throw new IllegalArgumentException(operation + ": the group was joined by another endpoint");
        }
        if (failed) {
            throw new IllegalStateException(operation + ": the join of the group has failed; close it and join again");
        }
        if (!joined) {
            throw new IllegalStateException(operation + ": the group is not joined yet; poll the completion queue and "
                    + "read the event queue until it has delivered JoinComplete");
        }
        return fabricAddress();
    }

    /** The operations, and the joins of smaller groups, that run in this group. */
    GroupUse use() {
        return use;
    }

    @Override
    protected void closing() {
        if (!endpoint.isOpen()) {
            return;
        }
        // the provider would go on writing to the group's memory
        if (!joined && !failed) {
            throw new IllegalStateException("the join is still under way; wait for its JoinComplete, or close the "
                    + "endpoint first");
        }
        // or reading from it
        int underWay = use.underWay();
        if (underWay > 0) {
            throw new IllegalStateException(underWay + " operations, or joins of smaller groups, are still under way "
                    + "in the group; wait for their completions and JoinComplete, or close the endpoint first, as for "
                    + "those that report no completion");
        }
    }

    @Override
    protected void closed() {
        endpoint.fabricState().joins().forget(token);
    }

    @Override
    public String kind() {
        return "collective group";
    }

    @Override
    protected int closeRank() {
        return CloseRank.REGION;
    }
}
