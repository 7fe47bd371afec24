// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.FabricEvent;
import io.jfabric.FabricObject;
import io.jfabric.internal.collective.CollectiveGroupImpl;

/**
 * Endpoints that take part in collective operations together ({@code struct fid_mc}, fi_collective(3)). From
 * {@link Collectives#join}; can be used once the event queue has delivered its
 * {@link FabricEvent.JoinComplete}. {@link #close} throws {@link IllegalStateException} while operations, or joins of
 * smaller groups, are under way in it, unless the endpoint was closed before. Any thread may use it.
 */
public sealed interface CollectiveGroup extends FabricObject permits CollectiveGroupImpl {
    /**
     * The address of the group, which operations use.
     *
     * @return the collective address ({@code fi_mc_addr})
     */
    long fabricAddress();

    /**
     * How many endpoints take part.
     *
     * @return at least 1
     */
    int size();

    /**
     * This endpoint's position in the set.
     *
     * @return from 0; -1 where only the provider knows
     */
    int rank();

    /**
     * Whether the group can be used: its {@link FabricEvent.JoinComplete} has been read.
     *
     * @return true from then on
     */
    boolean isJoined();
}
