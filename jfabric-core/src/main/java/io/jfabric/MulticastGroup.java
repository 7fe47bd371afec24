// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.MulticastGroupImpl;

/**
 * A multicast group that an endpoint has joined (fi_join, fi_cm(3)). To send to it, give {@link #fabricAddress()} as
 * the destination and {@link io.jfabric.info.OperationFlag#MULTICAST} among the flags. Closing it leaves the group. Any
 * thread may use it.
 */
public sealed interface MulticastGroup extends FabricObject permits MulticastGroupImpl {
    /**
     * The endpoint that has joined.
     *
     * @return the endpoint
     */
    Endpoint endpoint();

    /**
     * The address to send to ({@code fi_mc_addr}). Valid until the group is closed, for this endpoint only.
     *
     * @return the destination
     */
    long fabricAddress();
}
