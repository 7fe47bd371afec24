// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

/** The lanes of what goes to one peer: for the program, for heartbeats, and for notices of group members. */
public record PeerLanes(Lane transmits, Lane first, Lane words) {
    public static PeerLanes of(Flow flow) {
        return new PeerLanes(flow.transmitLane(), flow.firstTransmitLane(), flow.wordsLane());
    }

    /** For the next peer at the address of one that has ended: what the provider still has to that goes first. */
    public static PeerLanes behind(PeerLanes earlier, Flow flow) {
        return new PeerLanes(flow.transmitLane().behind(earlier.transmits),
                flow.firstTransmitLane().behind(earlier.first), flow.wordsLane().behind(earlier.words));
    }
}
